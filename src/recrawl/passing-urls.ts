/** Parameters that say who asks, when or from where, and not what for. */
const SESSION =
  /^(?:(?:php|asp|j|jsp|cf|web|my|user|shop|cart)?_?-?sess(?:ion)?_?-?(?:id|key|token)?|psid|osid|oscsid|xtcsid|zenid|cfid|cftoken|csrf\w*|_?token|xsrf\w*|authenticity_token|nonce|timestamp|_|rnd|rand|random|cb|cachebust(?:er)?|nocache|no_cache|utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|_ga|referr?er|return_?(?:to|url)|back_?(?:to|url)|redirect_?(?:to|url|uri)|came_?from|src_page|request_?id|trace_?id|visit(?:or)?_?id)$/i;
/** Parameters that may also select content, such as a topic, a state or a port of departure: their values decide. */
const MAYBE_SESSION = /^(?:sid|state|t|ts|time|now|date_?time|ref|from|return|back|next|redirect|source)$/i;
const OF_A_VISIT = /^(?:https?(?::|%3a)|(?:\/|%2f))|^\d{9,}(?:\.\d+)?$|^(?=.*\d)(?=.*[a-z])[\w-]{8,}$|%2f|\//i;
/** For images and other files also parameters that name a version. */
const EDITION =
  /^(?:v|ver|version|rev|revision|build|hash|cache|mtime|modified|updated|lastmod|etag|h|cs|sig|signature|expires|token|itok)$/i;
const IS_TOKEN = /^(?:(?=.*\d)(?=.*[a-z])[\w.~]{16,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
/** `logo.3f9a2b1c.png`, `logo-3f9a2b1c.png`: the hash added by a build. */
const BUILD = /([.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}(?=\.\w+$)/i;

/** Session ids in paths, as written by Java and ASP.NET. */
const SESSION_IN_PATH = /;jsessionid=[^/?;]*|\/\((?:[a-z]\([\w-]{16,}\))+\)(?=\/|$)/gi;

export function steadyUrl(url: string, isFile: boolean): string {
  const [whole = "", fragment] = url.split("#", 2);
  const at = whole.indexOf("?");
  const path = (at < 0 ? whole : whole.slice(0, at)).replace(SESSION_IN_PATH, "");
  const kept =
    at < 0
      ? []
      : whole
          .slice(at + 1)
          .split("&")
          .filter((pair) => !isPassingPair(pair, isFile));
  const steady = `${isFile ? path.replace(BUILD, "") : path}${kept.length > 0 ? `?${kept.join("&")}` : ""}`;
  return fragment === undefined || isFile ? steady : `${steady}#${fragment}`;
}

function isPassingPair(pair: string, isFile: boolean): boolean {
  const [name = "", value = ""] = pair.split("=", 2);
  if (SESSION.test(name) || (isFile && (EDITION.test(name) || MAYBE_SESSION.test(name)))) return true;
  if (MAYBE_SESSION.test(name) && OF_A_VISIT.test(value)) return true;
  return IS_TOKEN.test(value) || (isFile && value === "" && /^\d+$/.test(name));
}
