/** Parameters of web servers' directory listings (Apache, nginx, Tomcat, Jetty): the column, its order, and how the list is drawn. */
const PARAMS: Readonly<Record<string, RegExp>> = { C: /^[NMSD]$/, O: /^[AD]$/, F: /^[012]$/, V: /^[01]$/ };

/** Far longer than all four parameters. */
const MAX_QUERY_LENGTH = 20;

/**
 * Whether a query only sorts a directory listing (`?C=M;O=D`): such a URL shows the same list as the folder without it. Nothing else uses
 * these names, with these values alone, behind a slash.
 */
export function isListingOrder(path: string, query: string): boolean {
  if (query.length < 3 || query.length > MAX_QUERY_LENGTH || !path.endsWith("/")) return false;
  const names = new Set<string>();
  for (const param of query.split(/[;&]/)) {
    const name = param.slice(0, 1);
    if (param[1] !== "=" || names.has(name) || !Object.hasOwn(PARAMS, name) || !PARAMS[name]!.test(param.slice(2))) return false;
    names.add(name);
  }
  return names.has("C") && names.has("O");
}
