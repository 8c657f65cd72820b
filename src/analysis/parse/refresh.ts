/** `<meta http-equiv=refresh>`: the content attribute as WHATWG HTML §4.2.5.3 reads it. */

export interface Refresh {
  readonly seconds: number;
  /** As written; null means the page itself. */
  readonly url: string | null;
}

const time = /^[\t\n\f\r ]*(\d*)/;
const fraction = /[\d.]*/y;
const separator = /(?:$|(?=[\t\n\f\r ;,])[\t\n\f\r ]*[;,]?[\t\n\f\r ]*)/y;
const label = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;

export function parseRefresh(content: string): Refresh | undefined {
  const [start = "", digits = ""] = time.exec(content) ?? [];
  if (digits === "" && content[start.length] !== ".") return undefined;
  fraction.lastIndex = start.length;
  fraction.test(content);
  separator.lastIndex = fraction.lastIndex;
  if (!separator.test(content)) return undefined;
  const seconds = Number(digits);
  const rest = content.slice(separator.lastIndex);
  if (rest === "") return { seconds, url: null };
  const named = label.exec(rest);
  // A `u…` that is not `url=` is itself the URL, including quotes.
  if (named === null && /^u/i.test(rest)) return { seconds, url: rest };
  return { seconds, url: unquote(rest.slice(named?.[0].length ?? 0)) };
}

function unquote(text: string): string {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  const end = text.indexOf(quote, 1);
  return text.slice(1, end < 0 ? text.length : end);
}
