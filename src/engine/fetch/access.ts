import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { SecureContext } from "node:tls";
import { originOf, partsOf } from "../../analysis/url/index.ts";
import { AccessError } from "./access-error.ts";
import { type Cookie, CookieFile, cookiesFor } from "./cookie-file.ts";
import { trustExtraCa } from "./extra-ca.ts";
import { canonicalHost, isLocalhost } from "./hostname.ts";
import type { AccessOption, FetchOptions } from "./options.ts";
import { type FindProxy, openProxies, type ProxyOption, parseProxy } from "./proxy.ts";
import { parseAuth, parseHeader, storedAuth, storedHeader, type UserHeader } from "./user-header.ts";

/** Headers and cookies sent with every request to one origin. */
export interface Credentials {
  /** Names and values alternating. */
  readonly headers: readonly string[];
  readonly cookies: readonly Cookie[];
}

/** The headers of a request for this path, names and values alternating. */
export function credentialHeaders({ headers, cookies }: Credentials, path: string, now: number): string[] {
  const own = cookiesFor(cookies, path, now);
  return own === "" ? [...headers] : [...headers, "cookie", own];
}

/** Credentials, proxy and trusted certificates given by the user. Opened once, before the first request. */
export interface Access {
  /** Undefined for an origin without credentials; only the seeds' origins and those named by the user can have some. */
  credentialsFor(origin: string): Credentials | undefined;
  readonly proxyFor: FindProxy;
  readonly trust: SecureContext | undefined;
  /** Warnings to show before the crawl starts. */
  readonly notices: readonly string[];
}

export type AccessOptions = Pick<FetchOptions, AccessOption>;

/** Undefined if nothing was given. Throws an AccessError for values that cannot work. */
export function openAccess(options: AccessOptions, seeds: readonly string[]): Access | undefined {
  const { header, auth, cookies, proxy, ca } = options;
  if (header.length + auth.length === 0 && cookies === undefined && proxy === undefined && ca === undefined) return undefined;
  const own = [...new Set(seeds.map(originOf).filter(Boolean))];
  const headers = header.map((text) => requireValue(parseHeader(text), "header"));
  const logins = auth.map((text) => requireValue(parseAuth(text), "auth"));
  refuseDuplicates(headers);
  refuseDuplicates(logins);
  const given = [...headers, ...logins];
  const file = cookies === undefined ? undefined : new CookieFile(readGivenFile(cookies, "cookie file", "--cookies"));
  const byOrigin = new Map<string, Credentials>();
  for (const origin of new Set([...own, ...given.flatMap((entry) => entry.origin ?? [])])) {
    const isSeed = own.includes(origin);
    const sent = new Map<string, UserHeader>();
    // A header given for this origin overrides one for all seeds, and a login overrides a header of the same name.
    for (const entry of given) if (entry.origin === undefined && isSeed) sent.set(entry.name.toLowerCase(), entry);
    for (const entry of given) if (entry.origin === origin) sent.set(entry.name.toLowerCase(), entry);
    const lines = isSeed && file && !sent.has("cookie") ? file.for(origin) : [];
    if (sent.size + lines.length > 0)
      byOrigin.set(origin, { headers: [...sent.values()].flatMap(({ name, value }) => [name, value]), cookies: lines });
  }
  return {
    credentialsFor: (origin) => byOrigin.get(origin),
    proxyFor: proxy === undefined ? () => undefined : openProxies(requireProxy(proxy)),
    trust: ca === undefined ? undefined : trustExtraCa(readGivenFile(ca, "CA file", "--ca")),
    notices: [...proxyNotices(proxy), ...cookieNotices(file, own), ...unencryptedNotices(byOrigin)],
  };
}

/** Two values of one header for the same origins: only one could be sent. */
function refuseDuplicates(given: readonly UserHeader[]): void {
  const values = new Map<string, string>();
  for (const { origin, name, value } of given) {
    const key = `${name.toLowerCase()} ${origin ?? ""}`;
    if ((values.get(key) ?? value) !== value)
      throw new AccessError(`the header ${name} is given twice${origin === undefined ? "" : ` for ${origin}`}`, "keep one of them");
    values.set(key, value);
  }
}

const SECRET_NAME = /cookie|auth|token|session|api-?key/i;

/** Whether requests carry an identity: `--auth`, `--cookies`, or a header whose name suggests one. */
export const isSignedIn = ({ header, auth, cookies }: Pick<AccessOptions, "header" | "auth" | "cookies">): boolean =>
  auth.length > 0 || cookies !== undefined || header.some((text) => SECRET_NAME.test(parseHeader(text).name));

/** What is stored with a run: which options were given, and the names of headers, but no values. */
export function storedAccessOptions({ header, auth, cookies, proxy }: AccessOptions): Record<string, unknown> {
  return {
    ...(header.length > 0 && { header: header.map((text) => storedHeader(parseHeader(text))) }),
    ...(auth.length > 0 && { auth: auth.map((text) => storedAuth(parseAuth(text))) }),
    ...(cookies !== undefined && { cookies: "" }),
    ...(typeof proxy === "string" && { proxy: "" }),
  };
}

function requireValue(given: UserHeader, option: "header" | "auth"): UserHeader {
  if (given.value !== "") return given;
  if (option === "auth")
    throw new AccessError("user and password are missing", `runs do not keep them: give them again with --auth "user:password"`);
  const hint = `runs keep only the names of headers: give it again with --header "${given.name}: …"`;
  throw new AccessError(`the value of the header ${given.name} is missing`, hint);
}

function requireProxy(proxy: ProxyOption): ProxyOption {
  if (proxy !== "") return proxy;
  throw new AccessError("the proxy is missing", "runs do not keep it: give it again with --proxy http://host:port");
}

function readGivenFile(path: string, what: string, flag: string): string {
  if (path === "") throw new AccessError(`the ${what} is missing`, `runs do not keep its name: give it again with ${flag} <file>`);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new AccessError(`the ${what} ${path} cannot be read`, `check its name and permissions: ${flag} <file>`, { cause });
  }
}

function proxyNotices(proxy: ProxyOption | undefined): string[] {
  if (proxy === undefined || proxy === "") return [];
  const { http, https } = typeof proxy === "string" ? { http: proxy, https: proxy } : proxy;
  const nameOf = (text: string | undefined) => text && parseProxy(text).name;
  const proxyNames =
    http === https ? [nameOf(http)] : [https && `${nameOf(https)} for https`, http && `${nameOf(http)} for http`].filter(Boolean);
  return [
    `Asking through the proxy ${proxyNames.join(" and ")}: it looks names up, so whether they lead to private addresses cannot be seen from here.`,
  ];
}

function cookieNotices(file: CookieFile | undefined, seeds: readonly string[]): string[] {
  if (file === undefined) return [];
  const now = Date.now();
  const withoutCookies = seeds.filter((origin) => !file.for(origin).some(({ expiresAt }) => expiresAt > now));
  return withoutCookies.length === 0 ? [] : [`The cookie file holds no cookie for ${withoutCookies.join(", ")} that has not expired.`];
}

function unencryptedNotices(byOrigin: ReadonlyMap<string, Credentials>): string[] {
  const unencrypted = [...byOrigin.keys()].filter((origin) => origin.startsWith("http:") && !isLoopback(partsOf(`${origin}/`)!.hostname));
  return unencrypted.map((origin) => `${origin} is asked without encryption: whoever is on the way can read what you send along.`);
}

function isLoopback(hostname: string): boolean {
  const name = canonicalHost(hostname);
  return isLocalhost(name) || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}
