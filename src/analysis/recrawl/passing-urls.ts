/** Parameters that say who asks, when or from where, and not what for. */
const SESSION_PARAM =
  /^(?:(?:php|asp|j|jsp|cf|web|my|user|shop|cart)?_?-?sess(?:ion)?_?-?(?:id|key|token)?|psid|osid|oscsid|xtcsid|zenid|cfid|cftoken|csrf\w*|_?token|xsrf\w*|authenticity_token|nonce|timestamp|_|rnd|rand|random|cb|cachebust(?:er)?|nocache|no_cache|utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|_ga|referr?er|return_?(?:to|url)|back_?(?:to|url)|redirect_?(?:to|url|uri)|came_?from|src_page|request_?id|trace_?id|visit(?:or)?_?id)$/i;
/** Parameters that may also select content, such as a topic, a state or a port of departure: their values decide. */
const MAYBE_SESSION_PARAM = /^(?:sid|state|t|ts|time|now|date_?time|ref|from|return|back|next|redirect|source)$/i;
const VISIT_VALUE = /^(?:https?(?::|%3a)|(?:\/|%2f))|^\d{9,}(?:\.\d+)?$|^(?=.*\d)(?=.*[a-z])[\w-]{8,}$|%2f|\//i;
/** For images and other files also parameters that name a version. */
const VERSION_PARAM =
  /^(?:v|ver|version|rev|revision|build|hash|cache|mtime|modified|updated|lastmod|etag|h|cs|sig|signature|expires|token|itok)$/i;
const TOKEN_VALUE = /^(?:(?=.*\d)(?=.*[a-z])[\w.~]{16,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
/** `logo.3f9a2b1c.png`, `logo-3f9a2b1c.png`: the hash added by a build. */
const BUILD_HASH = /([.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}(?=\.\w+$)/i;

/** Session ids in paths, as written by Java and ASP.NET. */
const SESSION_IN_PATH = /;jsessionid=[^/?;]*|\/\((?:[a-z]\([\w-]{16,}\))+\)(?=\/|$)/gi;

export function stableUrl(url: string, isFile: boolean): string {
  const [whole = "", fragment] = url.split("#", 2);
  const at = whole.indexOf("?");
  const path = (at < 0 ? whole : whole.slice(0, at)).replace(SESSION_IN_PATH, "");
  const kept =
    at < 0
      ? []
      : whole
          .slice(at + 1)
          .split("&")
          .filter((pair) => !isTransientPair(pair, isFile));
  const steady = `${isFile ? path.replace(BUILD_HASH, "") : path}${kept.length > 0 ? `?${kept.join("&")}` : ""}`;
  return fragment === undefined || isFile ? steady : `${steady}#${fragment}`;
}

function isTransientPair(pair: string, isFile: boolean): boolean {
  const [name = "", value = ""] = pair.split("=", 2);
  if (SESSION_PARAM.test(name) || (isFile && (VERSION_PARAM.test(name) || MAYBE_SESSION_PARAM.test(name)))) return true;
  if (MAYBE_SESSION_PARAM.test(name) && VISIT_VALUE.test(value)) return true;
  return TOKEN_VALUE.test(value) || (isFile && value === "" && /^\d+$/.test(name));
}
