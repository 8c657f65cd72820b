import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { type Access, Unreachable, type Way } from "../fetch/index.ts";
import { MAX_HEADER } from "./exit-agents.ts";
import { openPass } from "./exit-pass.ts";
import { openTunnel } from "./exit-tunnel.ts";
import type { Inspector } from "./inspector.ts";
import { openPlaces } from "./open-places.ts";
import { isOurs } from "./own-user.ts";
import { throwawayCertificate } from "./throwaway-certificate.ts";

/**
 * A browser's only network access: a proxy on loopback that dials open hosts through the address guard. It accepts
 * connections of our own user only.
 */
export interface Exit {
  /** As browsers expect it: `http://127.0.0.1:port`. */
  readonly url: string;
  /** Opens a host (`host:port`) for tunnels, or one URL (without #) for readable requests. Call the result to close it again. */
  open(way: string): () => void;
  /** The error when the host was last dialled. */
  troubleAt(place: string): Unreachable | undefined;
  close(): Promise<void>;
}

export interface ExitSetup {
  readonly way: Way;
  readonly access: Access | undefined;
  readonly inspector?: Inspector | undefined;
}

/** Longer than any page is open. */
const IDLE = 60_000;
const MAX_CLIENTS = 256;

export async function openExit({ way, access, inspector }: ExitSetup): Promise<Exit> {
  const places = openPlaces();
  const sockets = new Set<Socket>();
  const keep = <T extends Socket>(socket: T): T => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // Both ends are handled by their close events.
    socket.on("error", () => socket.destroy());
    socket.setTimeout(IDLE, () => socket.destroy());
    return socket;
  };
  const reach: Way = async (place) => {
    const name = `${place.hostname}:${place.port}`;
    try {
      const socket = keep(await way(place));
      places.setTrouble(name, undefined);
      return socket;
    } catch (error) {
      if (error instanceof Unreachable) places.setTrouble(name, error);
      throw error;
    }
  };
  const peers = new WeakMap<Socket, Promise<boolean>>();
  const mayEnter = async (socket: Socket) => {
    const isFine = (await peers.get(socket)) === true && !socket.destroyed;
    if (!isFine) socket.destroy();
    return isFine;
  };
  const origins = new WeakMap<Socket, string>();
  const unwrap =
    inspector &&
    openUnwrap((socket, origin) => {
      origins.set(socket, origin);
      peers.set(socket, Promise.resolve(true));
      server.emit("connection", socket);
    });
  const pass = openPass({ reach, places, access, inspector });
  const tunnel = openTunnel({ reach, places, unwrap });

  const server = createServer({ maxHeaderSize: MAX_HEADER, insecureHTTPParser: false, keepAliveTimeout: IDLE, requestTimeout: IDLE });
  server.maxConnections = MAX_CLIENTS;
  server.on("connection", (socket: Socket) => {
    keep(socket);
    if (!peers.has(socket)) peers.set(socket, isOurs(socket));
  });
  server.on("request", async (asked, answer) => {
    if (await mayEnter(asked.socket)) await pass.pass(asked, answer, origins.get(asked.socket));
  });
  server.on("connect", async (asked, client: Socket, head) => {
    if (origins.has(client)) client.destroy();
    else if (await mayEnter(client)) await tunnel(asked, client, head);
  });
  // WebSockets and other protocols that continue after the response.
  server.on("upgrade", (_, socket: Socket) => socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n"));
  server.on("clientError", (_, socket: Socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: places.open,
    troubleAt: places.troubleAt,
    async close() {
      for (const socket of sockets) socket.destroy();
      pass.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Terminates TLS of a browser at the exit, with a certificate that only this browser is told to accept. */
function openUnwrap(onSocket: (socket: Socket, origin: string) => void) {
  const secureContext = createSecureContext(throwawayCertificate(Date.now()));
  return (client: Socket, origin: string): void => {
    const bare = new TLSSocket(client, { isServer: true, secureContext, ALPNProtocols: ["http/1.1"] });
    client.once("close", () => bare.destroy());
    onSocket(bare, origin);
  };
}
