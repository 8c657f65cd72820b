import { connect as connectTcp, isIP, type Socket } from "node:net";
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import type { DnsLookup } from "./dns-cache.ts";
import { UnreachableError, unresolvedError } from "./failure.ts";
import type { PrivateHostCheck } from "./private-hosts.ts";
import type { ProxyServer } from "./proxy.ts";
import { alternateFamilies, connectError, raceConnections } from "./race-connections.ts";
import { isGloballyRoutable } from "./routable.ts";
import { tlsFailure } from "./tls-failure.ts";

const MAX_ADDRESSES = 4;
const READ_BYTES = 64 * 1024;

/** The target of a connection: the host name the user wrote, never an address chosen by another party. */
export interface Destination {
  /** In the spelling of `canonicalHost`. */
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The proxy to use, if any. */
  readonly proxy?: ProxyServer | undefined;
}

export interface SocketSetup {
  readonly names: DnsLookup;
  readonly opened: PrivateHostCheck;
  readonly timeout: number;
  /** Trusted certificates, if not just the default authorities. */
  readonly trust?: SecureContext | undefined;
}

/**
 * The requester of a connection. It gets each socket when it is created, with its address unless that is known: destroying the latest one
 * without an error cancels the whole attempt. It may pass the TLS session of an earlier connection.
 */
export interface SocketOwner {
  readonly onSocket: (socket: Socket, address?: string) => void;
  readonly session: Buffer | undefined;
}

/**
 * The only way to open a socket, with the address guard. The name is resolved here, and the socket connects to exactly the address that
 * was checked, so a DNS answer that changes in between (rebinding) has no effect. `timeout` limits all of it together.
 */
export async function openSocket(destination: Destination, setup: SocketSetup, owner: SocketOwner): Promise<Socket> {
  const addresses = await setup.names.find(destination.hostname).catch((error: NodeJS.ErrnoException) => {
    throw unresolvedError(destination.hostname, error);
  });
  const open = await setup.opened.filterReachable(destination, addresses);
  if (open.length === 0) throw blockedError(addresses[0]!);
  const mayReach = (address: string) => isGloballyRoutable(address) || setup.opened.allows(destination.hostname, destination.port, address);
  const deadline = performance.now() + setup.timeout;
  let remaining = addressesToTry(open);
  while (true) {
    const { socket, address } = await connectToFirst(remaining, destination.port, mayReach, owner, deadline - performance.now());
    if (!destination.isSecure) return socket;
    try {
      return await startTls(socket, destination, setup, owner, deadline - performance.now());
    } catch (error) {
      // One of several servers may be broken while the others work.
      remaining = remaining.filter((other) => other !== address);
      if (remaining.length === 0 || performance.now() >= deadline || !mayOtherAddressWork(error)) throw error;
    }
  }
}

export const blockedError = (address: string) => new UnreachableError("private-network", `${address} is not a public address`, false);

export const addressesToTry = (addresses: readonly string[]): readonly string[] => alternateFamilies(addresses).slice(0, MAX_ADDRESSES);

/** Connects to the first of these addresses that answers. */
export function connectToFirst(
  addresses: readonly string[],
  port: number,
  mayReach: (address: string) => boolean,
  owner: SocketOwner,
  timeoutMs: number,
) {
  const open = (address: string) => {
    const target = { host: address, port, noDelay: true, highWaterMark: READ_BYTES };
    const socket = connectTcp(target);
    // Defence in depth: the address that the socket reached is checked again before the socket is used.
    socket.once("connect", () => {
      const reached = socket.remoteAddress;
      if (reached === undefined || !mayReach(reached)) socket.destroy(blockedError(reached ?? address));
    });
    owner.onSocket(socket, address);
    return socket;
  };
  return raceConnections(addresses, open, timeoutMs);
}

/** TLS over an open connection, with the certificate of the target host. */
export function startTls(
  socket: Socket,
  { hostname }: Destination,
  { trust }: SocketSetup,
  owner: SocketOwner,
  timeoutMs: number,
): Promise<Socket> {
  const options: ConnectionOptions & { highWaterMark: number } = {
    socket,
    host: hostname,
    // RFC 6066 §3: a literal address is not a server name.
    servername: isIP(hostname) === 0 ? hostname : "",
    ALPNProtocols: ["http/1.1"],
    highWaterMark: READ_BYTES,
    ...(owner.session && { session: owner.session }),
    secureContext: trust ?? getDefaultTrust(),
  };
  const secure = connectTls(options);
  owner.onSocket(secure);
  return waitForHandshake(secure, hostname, timeoutMs);
}

let defaultTrust: SecureContext | undefined;

/** Cached: Node would make one for each connection, which takes half a millisecond. */
function getDefaultTrust(): SecureContext {
  defaultTrust ??= createSecureContext();
  return defaultTrust;
}

const networkFaults = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"]);

function waitForHandshake(socket: TLSSocket, hostname: string, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let certificate: PeerCertificate | undefined;
    const onTimeout = () => socket.destroy(new UnreachableError("timeout", `no secure connection to ${hostname} in time`, true));
    const timer = setTimeout(onTimeout, Math.max(timeoutMs, 0));
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
          error instanceof UnreachableError || networkFaults.has(error.code ?? "")
            ? connectError(error, hostname)
            : tlsFailure(error, { hostname, certificate }),
        ),
      )
      .once("close", () => fail(new UnreachableError("connection", `connection to ${hostname} closed`, true)));
  });
}

const mayOtherAddressWork = (error: unknown) => error instanceof UnreachableError && error.reason !== "tls";
