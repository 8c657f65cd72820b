import { isIP, type Socket } from "node:net";
import { UnreachableError } from "./failure.ts";
import { isPrivateName } from "./hostname.ts";
import {
  addressesToTry,
  blockedError,
  connectToFirst,
  type Destination,
  type SocketOwner,
  type SocketSetup,
  startTls,
} from "./open-socket.ts";
import type { ProxyServer } from "./proxy.ts";
import { isGloballyRoutable } from "./routable.ts";
import { UndiciClient } from "./undici-client.ts";

const MAX_REPLY_BYTES = 16 * 1024;

/**
 * Connects through a proxy: directly for http, through a tunnel (CONNECT) for https, in which the target host must present its
 * certificate. The proxy resolves the name, so its address cannot be checked here; names and addresses that are private as written stay
 * closed. The user named the proxy itself, so its address needs no other permission.
 */
export async function openThroughProxy(
  proxy: ProxyServer,
  destination: Destination,
  setup: SocketSetup,
  owner: SocketOwner,
): Promise<Socket> {
  if (!destination.isSecure) {
    refusePrivate(destination, setup);
    return connectToProxy(proxy, setup, owner);
  }
  const socket = await openTunnel(proxy, destination, setup, owner);
  return startTls(socket, destination, setup, owner, setup.timeout);
}

/** The same without TLS: the caller does the TLS handshake itself. */
export async function openTunnel(proxy: ProxyServer, destination: Destination, setup: SocketSetup, owner: SocketOwner): Promise<Socket> {
  refusePrivate(destination, setup);
  return requestTunnel(await connectToProxy(proxy, setup, owner), proxy, destination);
}

function refusePrivate({ hostname, port }: Destination, { opened }: SocketSetup): void {
  const isPrivate = isIP(hostname) === 0 ? isPrivateName(hostname) : !isGloballyRoutable(hostname);
  if (isPrivate && !opened.allows(hostname, port, hostname)) throw blockedError(hostname);
}

async function connectToProxy(proxy: ProxyServer, { names, timeout }: SocketSetup, owner: SocketOwner): Promise<Socket> {
  const addresses = await names.find(proxy.hostname).catch((cause: NodeJS.ErrnoException) => {
    throw new UnreachableError("proxy", `the proxy ${proxy.name} does not resolve (${cause.code ?? cause.message})`, true, { cause });
  });
  try {
    return (await connectToFirst(addressesToTry(addresses), proxy.port, () => true, owner, timeout)).socket;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreachableError("proxy", `the proxy ${proxy.name} cannot be reached: ${reason}`, true, { cause });
  }
}

/** RFC 9110 §9.3.6. The exchange's deadline limits it. */
function requestTunnel(socket: Socket, proxy: ProxyServer, { hostname, port }: Destination): Promise<Socket> {
  const target = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  const client = new UndiciClient(`http://${proxy.name}`, {
    maxHeaderSize: MAX_REPLY_BYTES,
    headersTimeout: 0,
    // undici expects the callback after `connect` has returned.
    connect: (_, callback) => queueMicrotask(() => callback(null, socket)),
  });
  return new Promise((resolve, reject) => {
    const fail = (error: UnreachableError) => {
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
          const refused = refusalError(status, proxy, target);
          if (refused) fail(refused);
          else resolve(tunnel as Socket);
        },
        onResponseError: (_, error) => fail(noAnswerError(error, proxy, target)),
      },
    );
  });
}

const noAnswerError = (error: Error, proxy: ProxyServer, target: string): UnreachableError =>
  error.name === "HTTPParserError" || (error as NodeJS.ErrnoException).code === "UND_ERR_HEADERS_OVERFLOW"
    ? new UnreachableError("proxy", `${proxy.name} does not answer as a proxy does`, false, { cause: error })
    : new UnreachableError("proxy", `the proxy ${proxy.name} hung up when asked for ${target}`, true, { cause: error });

function refusalError(status: number, proxy: ProxyServer, target: string): UnreachableError | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 407) return proxyLoginError(proxy);
  if (status >= 400 && status < 500) return new UnreachableError("proxy", `the proxy ${proxy.name} refuses ${target} (${status})`, false);
  if (status >= 500) return new UnreachableError("proxy", `the proxy ${proxy.name} could not reach ${target} (${status})`, true);
  return new UnreachableError("proxy", `${proxy.name} does not answer as a proxy does`, false);
}

/** A 407, which a proxy also sends for plain requests. */
export const proxyLoginError = (proxy: ProxyServer): UnreachableError =>
  new UnreachableError(
    "proxy",
    `the proxy ${proxy.name} wants ${proxy.authorization === undefined ? "a" : "another"} user and password (407)`,
    false,
  );
