import { isIP } from "node:net";
import { registrableDomain } from "../../analysis/url/index.ts";
import { AccessError } from "./access-error.ts";
import { withoutBrackets } from "./hostname.ts";

export interface Cookie {
  readonly pair: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** Milliseconds; Infinity for a session cookie. */
  readonly expiresAt: number;
}

interface CookieLine extends Cookie {
  readonly domain: string;
  readonly withSubdomains: boolean;
}

const FORMAT = "each line holds domain, TRUE or FALSE, path, TRUE or FALSE, expiry, name and value, with tabs between them";

/** The cookies of a Netscape cookie file, as written by browser exporters, curl and wget. Cookies set by servers are never added. */
export class CookieFile {
  readonly #byDomain = new Map<string, CookieLine[]>();

  constructor(text: string) {
    for (const [index, line] of text
      .replace(/^\ufeff/, "")
      .split(/\r?\n/)
      .entries()) {
      const cookie = parseLine(line, index + 1);
      if (cookie === undefined) continue;
      const others = this.#byDomain.get(cookie.domain);
      if (others) others.push(cookie);
      else this.#byDomain.set(cookie.domain, [cookie]);
    }
  }

  /** The cookies of an origin, longest path first (RFC 6265 §5.4); of two with the same name, domain and path the later one wins. */
  for(origin: string): readonly Cookie[] {
    const { hostname, protocol } = new URL(origin);
    const found = new Map<string, CookieLine>();
    for (const domain of domainsOf(withoutBrackets(hostname)))
      for (const cookie of this.#byDomain.get(domain) ?? []) {
        if (domain !== withoutBrackets(hostname) && !cookie.withSubdomains) continue;
        if (cookie.isSecure && protocol !== "https:") continue;
        found.set(`${domain} ${cookie.path} ${cookie.pair.replace(/=.*/s, "")}`, cookie);
      }
    return [...found.values()].sort((a, b) => b.path.length - a.path.length);
  }
}

/** The value of the Cookie header for a path; empty if no cookie matches. */
export function cookiesFor(cookies: readonly Cookie[], path: string, now: number): string {
  let pairs = "";
  for (const cookie of cookies)
    if (cookie.expiresAt > now && matchesPath(path, cookie.path)) pairs += pairs === "" ? cookie.pair : `; ${cookie.pair}`;
  return pairs;
}

/** RFC 6265 §5.1.4. */
const matchesPath = (path: string, cookiePath: string) =>
  path.startsWith(cookiePath) && (path.length === cookiePath.length || cookiePath.endsWith("/") || path[cookiePath.length] === "/");

/** `a.b.org` → itself, `b.org`, `org`. An IP address has no parents. */
function domainsOf(hostname: string): string[] {
  if (isIP(hostname) !== 0) return [hostname];
  const labels = hostname.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

function parseLine(line: string, number: number): CookieLine | undefined {
  const text = line.replace(/^#HttpOnly_/, "");
  if (text.trim() === "" || text.startsWith("#")) return undefined;
  // The value never appears in a message.
  const formatError = (problem: string) => new AccessError(`line ${number} of the cookie file ${problem}`, FORMAT);
  const [domain = "", subdomains = "", path = "", secure = "", expiry = "", name = "", value = "", ...more] = text.split("\t");
  if (more.length > 0 || name === "") throw formatError("does not have seven fields");
  if (![subdomains, secure].every((flag) => /^(TRUE|FALSE)$/i.test(flag))) throw formatError("says neither TRUE nor FALSE where it must");
  if (!path.startsWith("/")) throw formatError("has a path that does not begin with a slash");
  if (!/^-?\d{1,15}(\.\d+)?$/.test(expiry)) throw formatError("has an expiry that is not a number of seconds");
  if (/[\p{Cc};=\s]/u.test(name) || /[\p{Cc};]/u.test(value)) throw formatError("has a name or a value that no header can carry");
  const host = parseCookieHost(domain);
  if (host === undefined) throw formatError("does not begin with the name of a host");
  return {
    domain: host,
    // RFC 6265 §5.3: a cookie must not apply to a whole public suffix such as com or github.io.
    withSubdomains: /^TRUE$/i.test(subdomains) && isIP(host) === 0 && registrableDomain(host) !== undefined,
    path,
    isSecure: /^TRUE$/i.test(secure),
    expiresAt: Number(expiry) > 0 ? Number(expiry) * 1000 : Number.POSITIVE_INFINITY,
    // The bytes of UTF-8, as browsers send them.
    pair: Buffer.from(`${name}=${value}`).toString("latin1"),
  };
}

function parseCookieHost(domain: string): string | undefined {
  const bare = isIP(domain) === 6 ? `[${domain}]` : domain.replace(/^\./, "");
  if (bare === "" || /[/?#@\\\s]/.test(bare) || !URL.canParse(`http://${bare}/`)) return undefined;
  const { hostname, port } = new URL(`http://${bare}/`);
  return port === "" ? withoutBrackets(hostname) : undefined;
}
