import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Access, Unreachable, type Way } from "../fetch/index.ts";
import { openPass } from "./exit-pass.ts";
import { openTunnel } from "./exit-tunnel.ts";
import { type Asked, openPlaces } from "./open-places.ts";
import { isOurs } from "./own-user.ts";

/** A browser's only way out: a proxy on loopback that knows which places are open and dials through the address guard. Only our own user gets through it. */
export interface Exit {
  /** As browsers want it: `http://127.0.0.1:port`. */
  readonly url: string;
  /** Opens a place (`host:port`) until it is given back; `may` has the last word on what is asked for in the clear. */
  open(place: string, may?: (asked: Asked) => boolean): () => void;
  /** Why a place could not be reached when it was last tried. */
  troubleAt(place: string): Unreachable | undefined;
  close(): Promise<void>;
}

export interface ExitSetup {
  readonly way: Way;
  readonly access: Access | undefined;
}

/** Longer than any page lives. */
const IDLE = 60_000;
const MAX_HEADER = 64 * 1024;
const MAX_CLIENTS = 256;

export async function openExit({ way, access }: ExitSetup): Promise<Exit> {
  const places = openPlaces();
  const sockets = new Set<Socket>();
  const keep = <T extends Socket>(socket: T): T => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // Whoever is at either end is told by the close.
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
  const pass = openPass({ reach, places, access });
  const tunnel = openTunnel({ reach, places });
  const peers = new WeakMap<Socket, Promise<boolean>>();
  const mayEnter = async (socket: Socket) => {
    const isFine = (await peers.get(socket)) === true && !socket.destroyed;
    if (!isFine) socket.destroy();
    return isFine;
  };

  const server = createServer({ maxHeaderSize: MAX_HEADER, insecureHTTPParser: false, keepAliveTimeout: IDLE, requestTimeout: IDLE });
  server.maxConnections = MAX_CLIENTS;
  server.on("connection", (socket: Socket) => {
    keep(socket);
    peers.set(socket, isOurs(socket));
  });
  server.on("request", async (asked, answer) => {
    if (await mayEnter(asked.socket)) await pass.pass(asked, answer);
  });
  server.on("connect", async (asked, client: Socket, head) => {
    if (await mayEnter(client)) await tunnel(asked, client, head);
  });
  // WebSockets, and whatever else would go on after its answer.
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
