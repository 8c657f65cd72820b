const MAX_CHARACTERS = 500;
const SCHEME = /^[a-z][a-z0-9+.-]{0,20}:\/\//i;
const CAMEL = /([a-z])([A-Z])/g;
/** Parts that say how a page is served, not what it is about. */
const FILLER_PATTERN = "(?:www\\d?|html?|aspx?|php\\d?|jsp|cgi|index|default|com|org|net|edu|gov)";
const URL_FILLERS = new RegExp(`\\b${FILLER_PATTERN}\\b`, "gi");
export const URL_FILLER_WORD = new RegExp(`^${FILLER_PATTERN}$`);

export interface UrlWords {
  readonly host: string;
  readonly path: string;
}

/** The words of a URL for a reader. Accepts anything: an invalid URL is read as text. */
export function urlWords(url: string): UrlWords {
  const withoutScheme = url.slice(0, MAX_CHARACTERS).replace(SCHEME, "");
  const pathStart = withoutScheme.search(/[/?#]/);
  const [host, rest] = pathStart < 0 ? [withoutScheme, ""] : [withoutScheme.slice(0, pathStart), withoutScheme.slice(pathStart)];
  const queryStart = rest.indexOf("?");
  const path =
    queryStart < 0
      ? rest
      : `${rest.slice(0, queryStart)} ${rest
          .slice(queryStart + 1)
          .split("&")
          .filter(isOwnParam)
          .join(" ")}`;
  return { host: host.replace(URL_FILLERS, " "), path: decoded(path).replace(CAMEL, "$1 $2").replace(URL_FILLERS, " ") };
}

/** The offset of the path in a plain URL, whose words can be read without decoding or splitting; undefined for other URLs. */
export function plainPathStart(url: string): number | undefined {
  const start = url.startsWith("https://") ? 8 : url.startsWith("http://") ? 7 : 0;
  if (start === 0 || url.length > MAX_CHARACTERS) return undefined;
  const pathStart = url.indexOf("/", start);
  for (let at = start; at < url.length; at++) if (!isPlainChar(url.charCodeAt(at))) return undefined;
  return pathStart < 0 ? undefined : pathStart;
}

/** Lower-case letters, digits, and / . - ~ : only. */
const isPlainChar = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 45 && code <= 58) || code === 126;

/** A parameter with a URL or campaign refers to another page. */
const isOwnParam = (parameter: string): boolean => !parameter.startsWith("utm_") && !/:|%3A/i.test(parameter);

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not every % is an escape
  }
}
