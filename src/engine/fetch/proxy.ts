import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { givenHost } from "../../analysis/url/index.ts";
import { AccessError } from "./access-error.ts";
import { withoutBrackets } from "./hostname.ts";
import type { Destination } from "./open-socket.ts";

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

export type FindProxy = (destination: Pick<Destination, "hostname" | "port" | "isSecure">) => ProxyServer | undefined;

const FORMAT_HINT = "--proxy http://[user:password@]host:port";

/** `http://[user:password@]host:port`; the scheme may be left out. */
export function parseProxy(text: string): ProxyServer {
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`);
  const isNameOnly = !/:\/\/|:\d+\/?$/.test(text);
  if (url === undefined || isNameOnly) throw new AccessError("a proxy is written http://[user:password@]host:port", FORMAT_HINT);
  if (url.protocol.startsWith("socks")) throw new AccessError("SOCKS proxies cannot be used, only http:// ones", FORMAT_HINT);
  if (url.protocol !== "http:")
    throw new AccessError("only http:// proxies can be used; https sites stay encrypted through them", FORMAT_HINT);
  if (url.hostname === "" || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    throw new AccessError("a proxy is a host and a port, without a path", FORMAT_HINT);
  const port = Number(url.port) || 80;
  const user = [url.username, url.password].map(decodePart).join(":");
  return {
    hostname: withoutBrackets(url.hostname),
    port,
    name: `${url.hostname}:${port}`,
    authorization: user === ":" ? undefined : `Basic ${Buffer.from(user).toString("base64")}`,
  };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AccessError("the proxy's user or password has a % that is no escape", "write a percent sign as %25");
  }
}

export function openProxies(option: ProxyOption): FindProxy {
  if (typeof option === "string") {
    const proxy = parseProxy(option);
    return () => proxy;
  }
  const http = option.http === undefined ? undefined : parseProxy(option.http);
  const https = option.https === undefined ? undefined : parseProxy(option.https);
  const exceptionMatchers = (option.except ?? []).map(parseException);
  return (destination) =>
    exceptionMatchers.some((matches) => matches(destination.hostname, destination.port)) ? undefined : destination.isSecure ? https : http;
}

type HostMatcher = (hostname: string, port: number) => boolean;

/** An entry of NO_PROXY: `*`, a name including its subdomains, an address or a CIDR; a port restricts it. */
function parseException(entry: string): HostMatcher {
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
  const name = withoutBrackets(written.toLowerCase()).replace(/^\*?\./, "");
  const isName = isIP(name) === 0;
  return (hostname, at) =>
    (port === "" || Number(port) === at) && (hostname === name || (isName && name !== "" && hostname.endsWith(`.${name}`)));
}
