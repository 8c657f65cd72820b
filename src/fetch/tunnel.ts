import { isIP, type Socket } from "node:net";
import { blocked, type DialSetup, mostPromising, type Owner, type Place, raceTo, secured } from "./dial.ts";
import { Unreachable } from "./failure.ts";
import { isPrivateName } from "./hostname.ts";
import type { ProxyServer } from "./proxy.ts";
import { isGloballyRoutable } from "./routable.ts";
import { UndiciClient } from "./undici-client.ts";

const MAX_REPLY = 16 * 1024;

/**
 * Connects through a proxy: directly for http, through a tunnel (CONNECT) for https, in which the target host must present its
 * certificate. The proxy resolves the name, so its address cannot be checked here; names and addresses that are private as written stay
 * closed. The user named the proxy itself, so its address needs no other permission.
 */
export async function dialThrough(proxy: ProxyServer, place: Place, setup: DialSetup, owner: Owner): Promise<Socket> {
  if (!place.isSecure) {
    refusePrivate(place, setup);
    return connectTo(proxy, setup, owner);
  }
  const socket = await tunnelThrough(proxy, place, setup, owner);
  return secured(socket, place, setup, owner, setup.timeout);
}

/** The same without TLS: the caller does the TLS handshake itself. */
export async function tunnelThrough(proxy: ProxyServer, place: Place, setup: DialSetup, owner: Owner): Promise<Socket> {
  refusePrivate(place, setup);
  return askForTunnel(await connectTo(proxy, setup, owner), proxy, place);
}

function refusePrivate({ hostname, port }: Place, { opened }: DialSetup): void {
  const isPrivate = isIP(hostname) === 0 ? isPrivateName(hostname) : !isGloballyRoutable(hostname);
  if (isPrivate && !opened.allows(hostname, port, hostname)) throw blocked(hostname);
}

async function connectTo(proxy: ProxyServer, { names, timeout }: DialSetup, owner: Owner): Promise<Socket> {
  const addresses = await names.find(proxy.hostname).catch((cause: NodeJS.ErrnoException) => {
    throw new Unreachable("proxy", `the proxy ${proxy.name} does not resolve (${cause.code ?? cause.message})`, true, { cause });
  });
  try {
    return (await raceTo(mostPromising(addresses), proxy.port, () => true, owner, timeout)).socket;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Unreachable("proxy", `the proxy ${proxy.name} cannot be reached: ${why}`, true, { cause });
  }
}

/** RFC 9110 §9.3.6. The exchange's deadline limits it. */
function askForTunnel(socket: Socket, proxy: ProxyServer, { hostname, port }: Place): Promise<Socket> {
  const target = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  const client = new UndiciClient(`http://${proxy.name}`, {
    maxHeaderSize: MAX_REPLY,
    headersTimeout: 0,
    // undici expects the callback after `connect` has returned.
    connect: (_, callback) => queueMicrotask(() => callback(null, socket)),
  });
  return new Promise((resolve, reject) => {
    const fail = (error: Unreachable) => {
      socket.destroy();
      reject(error);
    };
    const headers = ["host", target];
    if (proxy.authorization !== undefined) headers.push("proxy-authorization", proxy.authorization);
    client.dispatch(
      { path: target, method: "CONNECT", headers },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade: (_, status, __, tunnel) => {
          const refused = refusal(status, proxy, target);
          if (refused) fail(refused);
          else resolve(tunnel as Socket);
        },
        onResponseError: (_, error) => fail(withoutAnswer(error, proxy, target)),
      },
    );
  });
}

const withoutAnswer = (error: Error, proxy: ProxyServer, target: string): Unreachable =>
  error.name === "HTTPParserError" || (error as NodeJS.ErrnoException).code === "UND_ERR_HEADERS_OVERFLOW"
    ? new Unreachable("proxy", `${proxy.name} does not answer as a proxy does`, false, { cause: error })
    : new Unreachable("proxy", `the proxy ${proxy.name} hung up when asked for ${target}`, true, { cause: error });

function refusal(status: number, proxy: ProxyServer, target: string): Unreachable | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 407) return needsUser(proxy);
  if (status >= 400 && status < 500) return new Unreachable("proxy", `the proxy ${proxy.name} refuses ${target} (${status})`, false);
  if (status >= 500) return new Unreachable("proxy", `the proxy ${proxy.name} could not reach ${target} (${status})`, true);
  return new Unreachable("proxy", `${proxy.name} does not answer as a proxy does`, false);
}

/** A 407, which a proxy also sends for plain requests. */
export const needsUser = (proxy: ProxyServer): Unreachable =>
  new Unreachable(
    "proxy",
    `the proxy ${proxy.name} wants ${proxy.authorization === undefined ? "a" : "another"} user and password (407)`,
    false,
  );
