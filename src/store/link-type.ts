/** The type of a link's target: from its content type, else from the URL's extension; without an extension it is `html`. */
export function linkType(contentType: string | undefined, url: string): string {
  const named = contentType && /^(?:application\/xhtml|text\/html)|\/(?:x-)?([a-z0-9]+)/i.exec(contentType);
  if (named) return named[1]?.toLowerCase() ?? "html";
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  const ending = /\.([a-z0-9]{1,5})$/i.exec(path)?.[1]?.toLowerCase() ?? "html";
  return /^(html?|xhtml|php\d?|aspx?|jsp|cfm|cgi)$/.test(ending) ? "html" : ending;
}
