import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { givenHost } from "../url/index.ts";
import { AccessError } from "./access-error.ts";
import type { Place } from "./dial.ts";
import { unbracketed } from "./hostname.ts";

/** A proxy server. */
export interface ProxyServer {
  readonly hostname: string;
  readonly port: number;
  /** For display: without user and password. */
  readonly name: string;
  readonly authorization: string | undefined;
}

/** One proxy for everything, or one for each scheme with exceptions, as in the environment variables. */
export type ProxyOption =
  | string
  | { readonly http?: string | undefined; readonly https?: string | undefined; readonly except?: readonly string[] | undefined };

export type ProxyFor = (place: Pick<Place, "hostname" | "port" | "isSecure">) => ProxyServer | undefined;

const HOW = "--proxy http://[user:password@]host:port";

/** `http://[user:password@]host:port`; the scheme may be left out. */
export function parseProxy(text: string): ProxyServer {
  const url = urlOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`);
  const isBare = !/:\/\/|:\d+\/?$/.test(text);
  if (url === undefined || isBare) throw new AccessError("a proxy is written http://[user:password@]host:port", HOW);
  if (url.protocol.startsWith("socks")) throw new AccessError("SOCKS proxies cannot be used, only http:// ones", HOW);
  if (url.protocol !== "http:") throw new AccessError("only http:// proxies can be used; https sites stay encrypted through them", HOW);
  if (url.hostname === "" || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    throw new AccessError("a proxy is a host and a port, without a path", HOW);
  const port = Number(url.port) || 80;
  const user = [url.username, url.password].map(decoded).join(":");
  return {
    hostname: unbracketed(url.hostname),
    port,
    name: `${url.hostname}:${port}`,
    authorization: user === ":" ? undefined : `Basic ${Buffer.from(user).toString("base64")}`,
  };
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AccessError("the proxy's user or password has a % that is no escape", "write a percent sign as %25");
  }
}

export function openProxies(option: ProxyOption): ProxyFor {
  if (typeof option === "string") {
    const proxy = parseProxy(option);
    return () => proxy;
  }
  const http = option.http === undefined ? undefined : parseProxy(option.http);
  const https = option.https === undefined ? undefined : parseProxy(option.https);
  const exceptions = (option.except ?? []).map(exception);
  return (place) => (exceptions.some((matches) => matches(place.hostname, place.port)) ? undefined : place.isSecure ? https : http);
}

type Matches = (hostname: string, port: number) => boolean;

/** An entry of NO_PROXY: `*`, a name including its subdomains, an address or a CIDR; a port restricts it. */
function exception(entry: string): Matches {
  if (entry === "*") return () => true;
  if (ipaddr.isValidCIDR(entry)) {
    const [base, bits] = ipaddr.parseCIDR(entry);
    return (hostname) => {
      if (isIP(hostname) === 0) return false;
      const address = ipaddr.process(hostname);
      return address.kind() === base.kind() && address.match(base, bits);
    };
  }
  const host = entry.includes("://") ? (givenHost(entry) ?? entry) : entry.replace(/\.(?=$|:\d+$)/, "");
  const [, written = "", port = ""] = /^(.*?)(?::(\d+))?$/.exec(isIP(host) === 6 ? `[${host}]` : host) ?? [];
  const name = unbracketed(written.toLowerCase()).replace(/^\*?\./, "");
  const isName = isIP(name) === 0;
  return (hostname, at) =>
    (port === "" || Number(port) === at) && (hostname === name || (isName && name !== "" && hostname.endsWith(`.${name}`)));
}
