import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { type Access, type Connector, UnreachableError } from "../../fetch/index.ts";
import type { Inspector } from "../inspector.ts";
import { isOwnUser } from "../own-user.ts";
import { temporaryCertificate } from "../temporary-certificate.ts";
import { MAX_HEADER_BYTES } from "./exit-agents.ts";
import { openForwarder } from "./exit-forwarder.ts";
import { openTunnel } from "./exit-tunnel.ts";
import { createOpenHosts } from "./open-hosts.ts";

/**
 * A browser's only network access: a proxy on loopback that dials open hosts through the address guard. It accepts
 * connections of our own user only.
 */
export interface ExitProxy {
  /** As browsers expect it: `http://127.0.0.1:port`. */
  readonly url: string;
  /** Opens a host (`host:port`) for tunnels, or one URL (without #) for readable requests. Call the result to close it again. */
  open(hostOrUrl: string): () => void;
  /** The error when the host was last dialled. */
  lastErrorAt(target: string): UnreachableError | undefined;
  close(): Promise<void>;
}

export interface ExitProxySetup {
  readonly connector: Connector;
  readonly access: Access | undefined;
  readonly inspector?: Inspector | undefined;
}

/** Longer than any page is open. */
const IDLE_TIMEOUT_MS = 60_000;
const MAX_CLIENTS = 256;

export async function openExitProxy({ connector, access, inspector }: ExitProxySetup): Promise<ExitProxy> {
  const openHosts = createOpenHosts();
  const sockets = new Set<Socket>();
  const track = <T extends Socket>(socket: T): T => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // Both ends are handled by their close events.
    socket.on("error", () => socket.destroy());
    socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy());
    return socket;
  };
  const trackedConnector: Connector = async (target) => {
    const name = `${target.hostname}:${target.port}`;
    try {
      const socket = track(await connector(target));
      openHosts.setError(name, undefined);
      return socket;
    } catch (error) {
      if (error instanceof UnreachableError) openHosts.setError(name, error);
      throw error;
    }
  };
  const ownUserChecks = new WeakMap<Socket, Promise<boolean>>();
  const isAllowed = async (socket: Socket) => {
    const isFine = (await ownUserChecks.get(socket)) === true && !socket.destroyed;
    if (!isFine) socket.destroy();
    return isFine;
  };
  const origins = new WeakMap<Socket, string>();
  const terminateTls =
    inspector &&
    createTlsTerminator((socket, origin) => {
      origins.set(socket, origin);
      ownUserChecks.set(socket, Promise.resolve(true));
      server.emit("connection", socket);
    });
  const forwarder = openForwarder({ connector: trackedConnector, openHosts, access, inspector });
  const tunnel = openTunnel({ connector: trackedConnector, openHosts, terminateTls });

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    requestTimeout: IDLE_TIMEOUT_MS,
  });
  server.maxConnections = MAX_CLIENTS;
  server.on("connection", (socket: Socket) => {
    track(socket);
    if (!ownUserChecks.has(socket)) ownUserChecks.set(socket, isOwnUser(socket));
  });
  server.on("request", async (request, response) => {
    if (await isAllowed(request.socket)) await forwarder.forward(request, response, origins.get(request.socket));
  });
  server.on("connect", async (request, client: Socket, head) => {
    if (origins.has(client)) client.destroy();
    else if (await isAllowed(client)) await tunnel(request, client, head);
  });
  // WebSockets and other protocols that continue after the response.
  server.on("upgrade", (_, socket: Socket) => socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n"));
  server.on("clientError", (_, socket: Socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: openHosts.open,
    lastErrorAt: openHosts.lastErrorAt,
    async close() {
      for (const socket of sockets) socket.destroy();
      forwarder.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Terminates TLS of a browser at the exit, with a certificate that only this browser is told to accept. */
function createTlsTerminator(onSocket: (socket: Socket, origin: string) => void) {
  const secureContext = createSecureContext(temporaryCertificate(Date.now()));
  return (client: Socket, origin: string): void => {
    const decrypted = new TLSSocket(client, { isServer: true, secureContext, ALPNProtocols: ["http/1.1"] });
    client.once("close", () => decrypted.destroy());
    onSocket(decrypted, origin);
  };
}
