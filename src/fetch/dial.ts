import { connect as connectTcp, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type SecureContext } from "node:tls";
import { Unreachable, unresolved } from "./failure.ts";
import type { Names } from "./names.ts";
import type { Openings } from "./openings.ts";
import type { ProxyServer } from "./proxy.ts";
import { isGloballyRoutable } from "./routable.ts";

export const MAX_ADDRESSES = 4;

/** Where a connection goes: a name as the user wrote it, never an address that somebody else chose for it. */
export interface Place {
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Who asks for us there. */
  readonly proxy?: ProxyServer | undefined;
}

export interface DialSetup {
  readonly names: Names;
  readonly opened: Openings;
  readonly timeout: number;
  /** Whom to trust, if not just the usual authorities. */
  readonly trust?: SecureContext | undefined;
}

/** Who wants the connection: sees each socket as it is made, so that it can give it up, and may bring the TLS session of an earlier one. */
export interface Owner {
  readonly watch: (socket: Socket) => void;
  readonly session: Buffer | undefined;
}

/**
 * The one way to a socket, and the address guard on it. The name is resolved here and the very address that was judged is given
 * to the socket, so an answer that changes in between (rebinding) changes nothing. Addresses are tried in turn.
 */
export async function dial(place: Place, setup: DialSetup, owner: Owner): Promise<Socket> {
  const addresses = await setup.names.find(place.hostname).catch((error: NodeJS.ErrnoException) => {
    throw unresolved(place.hostname, error);
  });
  const mayReach = (address: string) => {
    const isPublic = isGloballyRoutable(address);
    if (isPublic) setup.opened.metInPublic(place.hostname, place.port);
    return isPublic || setup.opened.allows(place.hostname, place.port, address);
  };
  const open = addresses.filter(mayReach).slice(0, MAX_ADDRESSES);
  if (open.length === 0) throw blocked(addresses[0]!);
  let trouble: unknown;
  for (const address of open) {
    const socket = openSocket(address, place, setup, owner);
    // Belt and braces: judged once more on what the socket says it reached.
    socket.once("connect", () => {
      const reached = socket.remoteAddress;
      if (reached === undefined || !mayReach(reached)) socket.destroy(blocked(reached ?? address));
    });
    owner.watch(socket);
    try {
      return await connected(socket, address, place.isSecure, setup.timeout / open.length);
    } catch (error) {
      trouble = error;
    }
  }
  throw trouble;
}

export const blocked = (address: string) => new Unreachable("private-network", `${address} is not a public address`, false);

function openSocket(address: string, place: Place, setup: DialSetup, owner: Owner): Socket {
  const target = { host: address, port: place.port, noDelay: true, highWaterMark: 64 * 1024 };
  return place.isSecure ? secured(target, place, setup, owner) : connectTcp(target);
}

export function secured(target: ConnectionOptions, { hostname }: Place, { trust }: DialSetup, { session }: Owner): Socket {
  // RFC 6066 §3: a literal address is not a server name.
  const servername = isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : "";
  return connectTls({
    ...target,
    servername,
    ALPNProtocols: ["http/1.1"],
    ...(session && { session }),
    ...(trust && { secureContext: trust }),
  });
}

export function connected(socket: Socket, address: string, isSecure: boolean, patience: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isHandshake = isSecure && !socket.connecting;
    const timer = setTimeout(() => socket.destroy(new Unreachable("timeout", `no connection to ${address} in time`, true)), patience);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket
      .once("connect", () => {
        isHandshake = isSecure;
      })
      .once(isSecure ? "secureConnect" : "connect", () => {
        clearTimeout(timer);
        if (!socket.destroyed) resolve(socket);
      })
      // Stays for the life of the socket: an error that nobody listens to ends the process.
      .on("error", (error) => fail(unreachable(error, address, isHandshake)))
      .once("close", () => fail(new Unreachable("connection", `connection to ${address} closed`, true)));
  });
}

const networkFaults = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"]);

function unreachable(error: NodeJS.ErrnoException, address: string, isHandshake: boolean): Unreachable {
  if (error instanceof Unreachable) return error;
  const { code = "" } = error;
  if (isHandshake && !networkFaults.has(code))
    return new Unreachable("tls", `no secure connection (${code || error.message})`, false, { cause: error });
  if (code === "ETIMEDOUT") return new Unreachable("timeout", `no connection to ${address} in time`, true, { cause: error });
  return new Unreachable("connection", `no connection to ${address} (${code || error.message})`, true, { cause: error });
}
