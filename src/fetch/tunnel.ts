import { connect as connectTcp, isIP, type Socket } from "node:net";
import { blocked, connected, type DialSetup, MAX_ADDRESSES, type Owner, type Place, secured } from "./dial.ts";
import { Unreachable } from "./failure.ts";
import type { ProxyServer } from "./proxy.ts";
import { isGloballyRoutable } from "./routable.ts";

const MAX_REPLY = 16 * 1024;

/**
 * The way to a place through a proxy: a plain connection to it for http, a tunnel (CONNECT) for https, within which the place itself
 * must show its certificate. The proxy looks the name up, so where it leads cannot be judged here; what is private as it is written
 * stays closed. The proxy's own address was named by the user and needs no other leave.
 */
export async function dialThrough(proxy: ProxyServer, place: Place, setup: DialSetup, owner: Owner): Promise<Socket> {
  if (!place.isSecure) {
    refusePrivate(place, setup);
    return connectTo(proxy, setup, owner, owner.onread);
  }
  const socket = await tunnelThrough(proxy, place, setup, owner);
  const secure = secured({ socket, host: place.hostname }, place, setup, owner);
  owner.watch(secure);
  return connected(secure, place.hostname, true, setup.timeout);
}

/** The same, left bare: who asked for it speaks TLS by himself. */
export async function tunnelThrough(proxy: ProxyServer, place: Place, setup: DialSetup, owner: Owner): Promise<Socket> {
  refusePrivate(place, setup);
  const socket = await connectTo(proxy, setup, owner);
  await askForTunnel(socket, proxy, place);
  return socket;
}

function refusePrivate({ hostname, port }: Place, { opened }: DialSetup): void {
  if (isPrivateAsWritten(hostname) && !opened.allows(hostname, port, hostname)) throw blocked(hostname);
}

/** Names that no public name server knows (RFC 6761, 6762, 8375, and what clouds and offices use), besides addresses. */
function isPrivateAsWritten(hostname: string): boolean {
  if (isIP(hostname) !== 0) return !isGloballyRoutable(hostname);
  return !hostname.includes(".") || /\.(localhost|local|internal|intranet|lan|home\.arpa)$/.test(hostname);
}

async function connectTo(proxy: ProxyServer, { names, timeout }: DialSetup, owner: Owner, onread?: Owner["onread"]): Promise<Socket> {
  const addresses = await names.find(proxy.hostname).catch((cause: NodeJS.ErrnoException) => {
    throw new Unreachable("proxy", `the proxy ${proxy.name} does not resolve (${cause.code ?? cause.message})`, true, { cause });
  });
  const tried = addresses.slice(0, MAX_ADDRESSES);
  let trouble: unknown;
  for (const address of tried) {
    const target = { host: address, port: proxy.port, noDelay: true, highWaterMark: 64 * 1024, ...(onread && { onread }) };
    const socket = connectTcp(target);
    owner.watch(socket);
    try {
      return await connected(socket, address, false, timeout / tried.length);
    } catch (error) {
      trouble = error;
    }
  }
  const why = trouble instanceof Error ? trouble.message : String(trouble);
  throw new Unreachable("proxy", `the proxy ${proxy.name} cannot be reached: ${why}`, true, { cause: trouble });
}

/** RFC 9110 §9.3.6. Its end in time is the exchange's affair, which has one timer for everything. */
function askForTunnel(socket: Socket, proxy: ProxyServer, { hostname, port }: Place): Promise<void> {
  const target = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  const credentials = proxy.authorization === undefined ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  return new Promise((resolve, reject) => {
    let reply = Buffer.alloc(0);
    const finish = (error: Unreachable | undefined) => {
      socket.off("data", onData).off("close", onClose);
      if (error === undefined) return resolve();
      socket.destroy();
      reject(error);
    };
    const onClose = () => finish(new Unreachable("proxy", `the proxy ${proxy.name} hung up when asked for ${target}`, true));
    const onData = (chunk: Buffer) => {
      reply = Buffer.concat([reply, chunk]);
      const end = reply.indexOf("\r\n\r\n");
      if (end < 0 && reply.length <= MAX_REPLY) return;
      socket.pause();
      if (end >= 0 && end + 4 < reply.length) socket.unshift(reply.subarray(end + 4));
      const status = end < 0 ? undefined : /^HTTP\/1\.[01] (\d{3})/.exec(reply.toString("latin1", 0, 16))?.[1];
      finish(refusal(Number(status ?? 0), proxy, target));
    };
    socket.on("data", onData).on("close", onClose);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${credentials}\r\n`);
  });
}

function refusal(status: number, proxy: ProxyServer, target: string): Unreachable | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 407) return needsUser(proxy);
  if (status >= 400 && status < 500) return new Unreachable("proxy", `the proxy ${proxy.name} refuses ${target} (${status})`, false);
  if (status >= 500) return new Unreachable("proxy", `the proxy ${proxy.name} could not reach ${target} (${status})`, true);
  return new Unreachable("proxy", `${proxy.name} does not answer as a proxy does`, false);
}

/** 407, which a proxy also gives to plain requests. */
export const needsUser = (proxy: ProxyServer): Unreachable =>
  new Unreachable(
    "proxy",
    `the proxy ${proxy.name} wants ${proxy.authorization === undefined ? "a" : "another"} user and password (407)`,
    false,
  );
