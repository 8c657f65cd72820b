/** Which parts of a query are ignored or reordered when URLs are compared; `maxParams` also shortens the requested URL. */
export interface KeyOptions {
  readonly stripParams: readonly string[];
  readonly sortParams: boolean;
  /** Infinity for no limit. */
  readonly maxParams: number;
}

/** Selects the options that decide whether two URLs are the same page. */
export const keyOptionsOf = ({ stripParams, sortParams, maxParams }: KeyOptions): KeyOptions => ({ stripParams, sortParams, maxParams });

interface StripList {
  readonly names: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

const compiled = new WeakMap<readonly string[], StripList>();

function stripList(patterns: readonly string[]): StripList {
  const cached = compiled.get(patterns);
  if (cached) return cached;
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  const list = {
    names: new Set(lower.filter((pattern) => !pattern.endsWith("*"))),
    prefixes: lower.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1)),
  };
  compiled.set(patterns, list);
  return list;
}

function isStripped(param: string, list: StripList): boolean {
  const name = nameOf(param).toLowerCase();
  return list.names.has(name) || list.prefixes.some((prefix) => name.startsWith(prefix));
}

const nameOf = (param: string) => {
  const equalsAt = param.indexOf("=");
  return equalsAt < 0 ? param : param.slice(0, equalsAt);
};

/** Stripped parameters do not count against the limit, because they never select a page. */
export function cutQuery(query: string, options: KeyOptions): string {
  if (query === "" || options.maxParams === Number.POSITIVE_INFINITY) return query;
  const list = stripList(options.stripParams);
  let remaining = options.maxParams;
  const kept = query.split("&").filter((param) => param !== "" && (isStripped(param, list) || remaining-- > 0));
  return remaining >= 0 ? query : kept.join("&");
}

/**
 * With `sortParams` a query is read as form data: empty parts and values without a name are dropped, `b=` equals `b`, and only names are
 * ordered.
 */
export function keyQuery(query: string, options: KeyOptions): string {
  if (query === "") return query;
  const list = stripList(options.stripParams);
  const kept = query.split("&").filter((param) => param === "" || !isStripped(param, list));
  if (!options.sortParams) return kept.every((param) => param === "") ? "" : kept.join("&");
  return kept
    .filter((param) => nameOf(param) !== "")
    .map((param) => (param.indexOf("=") === param.length - 1 ? param.slice(0, -1) : param))
    .map((param): [string, string] => [nameOf(param), param])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, param]) => param)
    .join("&");
}
