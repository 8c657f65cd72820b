import { connect as connectTcp, isIP, type Socket } from "node:net";
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { Unreachable, unresolved } from "./failure.ts";
import type { NameFinder } from "./names.ts";
import type { Opened } from "./openings.ts";
import type { ProxyServer } from "./proxy.ts";
import { alternated, notConnected, race } from "./race.ts";
import { isGloballyRoutable } from "./routable.ts";
import { tlsFailure } from "./tls-failure.ts";

const MAX_ADDRESSES = 4;
const READ_SIZE = 64 * 1024;

/** The target of a connection: the host name the user wrote, never an address chosen by another party. */
export interface Place {
  /** In the spelling of `plainHost`. */
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The proxy to use, if any. */
  readonly proxy?: ProxyServer | undefined;
}

export interface DialSetup {
  readonly names: NameFinder;
  readonly opened: Opened;
  readonly timeout: number;
  /** Trusted certificates, if not just the default authorities. */
  readonly trust?: SecureContext | undefined;
}

/**
 * The requester of a connection. It gets each socket when it is created, with its address unless that is known: destroying the latest one
 * without an error cancels the whole attempt. It may pass the TLS session of an earlier connection.
 */
export interface Owner {
  readonly watch: (socket: Socket, address?: string) => void;
  readonly session: Buffer | undefined;
}

/**
 * The only way to open a socket, with the address guard. The name is resolved here, and the socket connects to exactly the address that
 * was checked, so a DNS answer that changes in between (rebinding) has no effect. `timeout` limits all of it together.
 */
export async function dial(place: Place, setup: DialSetup, owner: Owner): Promise<Socket> {
  const addresses = await setup.names.find(place.hostname).catch((error: NodeJS.ErrnoException) => {
    throw unresolved(place.hostname, error);
  });
  const open = await setup.opened.reachable(place, addresses);
  if (open.length === 0) throw blocked(addresses[0]!);
  const mayReach = (address: string) => isGloballyRoutable(address) || setup.opened.allows(place.hostname, place.port, address);
  const until = performance.now() + setup.timeout;
  let left = mostPromising(open);
  while (true) {
    const { socket, address } = await raceTo(left, place.port, mayReach, owner, until - performance.now());
    if (!place.isSecure) return socket;
    try {
      return await secured(socket, place, setup, owner, until - performance.now());
    } catch (error) {
      // One of several servers may be broken while the others work.
      left = left.filter((other) => other !== address);
      if (left.length === 0 || performance.now() >= until || !isWorthAnother(error)) throw error;
    }
  }
}

export const blocked = (address: string) => new Unreachable("private-network", `${address} is not a public address`, false);

export const mostPromising = (addresses: readonly string[]): readonly string[] => alternated(addresses).slice(0, MAX_ADDRESSES);

/** Connects to the first of these addresses that answers. */
export function raceTo(addresses: readonly string[], port: number, mayReach: (address: string) => boolean, owner: Owner, patience: number) {
  const open = (address: string) => {
    const target = { host: address, port, noDelay: true, highWaterMark: READ_SIZE };
    const socket = connectTcp(target);
    // Defence in depth: the address that the socket reached is checked again before the socket is used.
    socket.once("connect", () => {
      const reached = socket.remoteAddress;
      if (reached === undefined || !mayReach(reached)) socket.destroy(blocked(reached ?? address));
    });
    owner.watch(socket, address);
    return socket;
  };
  return race(addresses, open, patience);
}

/** TLS over an open connection, with the certificate of the target host. */
export function secured(socket: Socket, { hostname }: Place, { trust }: DialSetup, owner: Owner, patience: number): Promise<Socket> {
  const options: ConnectionOptions & { highWaterMark: number } = {
    socket,
    host: hostname,
    // RFC 6066 §3: a literal address is not a server name.
    servername: isIP(hostname) === 0 ? hostname : "",
    ALPNProtocols: ["http/1.1"],
    highWaterMark: READ_SIZE,
    ...(owner.session && { session: owner.session }),
    secureContext: trust ?? usualTrust(),
  };
  const secure = connectTls(options);
  owner.watch(secure);
  return shaken(secure, hostname, patience);
}

let usual: SecureContext | undefined;

/** Cached: Node would make one for each connection, which takes half a millisecond. */
function usualTrust(): SecureContext {
  usual ??= createSecureContext();
  return usual;
}

const networkFaults = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"]);

function shaken(socket: TLSSocket, hostname: string, patience: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let certificate: PeerCertificate | undefined;
    const tooLate = () => socket.destroy(new Unreachable("timeout", `no secure connection to ${hostname} in time`, true));
    const timer = setTimeout(tooLate, Math.max(patience, 0));
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket
      // Read before Node verifies the certificate: afterwards the socket is destroyed, and the expiry date is lost. Not
      // getPeerX509Certificate: after it, Node 20 finds no names in the certificate.
      .prependOnceListener("secure", () => {
        certificate = socket.getPeerCertificate();
      })
      .once("secureConnect", () => {
        clearTimeout(timer);
        if (!socket.destroyed) resolve(socket);
      })
      // Stays for the life of the socket: an unhandled error event ends the process.
      .on("error", (error: NodeJS.ErrnoException) =>
        fail(
          error instanceof Unreachable || networkFaults.has(error.code ?? "")
            ? notConnected(error, hostname)
            : tlsFailure(error, { hostname, certificate }),
        ),
      )
      .once("close", () => fail(new Unreachable("connection", `connection to ${hostname} closed`, true)));
  });
}

const isWorthAnother = (error: unknown) => error instanceof Unreachable && error.reason !== "tls";
