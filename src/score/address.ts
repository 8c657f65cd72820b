const MOST_CHARACTERS = 500;
const SCHEME = /^[a-z][a-z0-9+.-]{0,20}:\/\//i;
const CAMEL = /([a-z])([A-Z])/g;
/** Parts that say how a page is served, not what it is about. */
const SERVED = "(?:www\\d?|html?|aspx?|php\\d?|jsp|cgi|index|default|com|org|net|edu|gov)";
const SERVING = new RegExp(`\\b${SERVED}\\b`, "gi");
export const SERVING_WORD = new RegExp(`^${SERVED}$`);

export interface AddressWords {
  readonly host: string;
  readonly path: string;
}

/** The words of a URL for a reader. Accepts anything: an invalid URL is read as text. */
export function addressWords(url: string): AddressWords {
  const bare = url.slice(0, MOST_CHARACTERS).replace(SCHEME, "");
  const cut = bare.search(/[/?#]/);
  const [host, rest] = cut < 0 ? [bare, ""] : [bare.slice(0, cut), bare.slice(cut)];
  const question = rest.indexOf("?");
  const path =
    question < 0
      ? rest
      : `${rest.slice(0, question)} ${rest
          .slice(question + 1)
          .split("&")
          .filter(isOwn)
          .join(" ")}`;
  return { host: host.replace(SERVING, " "), path: unescaped(path).replace(CAMEL, "$1 $2").replace(SERVING, " ") };
}

/** The offset of the path in a plain URL, whose words can be read without decoding or splitting; undefined for other URLs. */
export function plainPath(url: string): number | undefined {
  const start = url.startsWith("https://") ? 8 : url.startsWith("http://") ? 7 : 0;
  if (start === 0 || url.length > MOST_CHARACTERS) return undefined;
  const cut = url.indexOf("/", start);
  for (let at = start; at < url.length; at++) if (!isPlain(url.charCodeAt(at))) return undefined;
  return cut < 0 ? undefined : cut;
}

/** Lower-case letters, digits, and / . - ~ : only. */
const isPlain = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 45 && code <= 58) || code === 126;

/** A parameter with a URL or campaign refers to another page. */
const isOwn = (parameter: string): boolean => !parameter.startsWith("utm_") && !/:|%3A/i.test(parameter);

function unescaped(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not every % is an escape
  }
}
