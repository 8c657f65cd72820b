import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Client } from "undici";
import { type DialSetup, dial, type Place } from "./dial.ts";
import { Unreachable } from "./failure.ts";
import type { ProxyServer } from "./proxy.ts";
import { dialThrough } from "./tunnel.ts";

// The one part of undici that is used. Its front door loads all the others too, which costs every start as much as a hundred pages.
const OneClient = createRequire(import.meta.url)("undici/lib/dispatcher/client.js") as typeof Client;

/** Bytes of response headers. undici counts names and values only, so its limit is a bit wider. */
export const MAX_HEAD = 64 * 1024;

/** One connection to one origin, made when first needed and made again when the server closed it. One request at a time. */
export class Line {
  readonly origin: string;
  readonly client: Client;
  readonly proxy: ProxyServer | undefined;
  /** False until the first request after connecting has gone out. */
  isReused = false;
  isClosed = false;
  #socket: Socket | undefined;
  #session: Buffer | undefined;

  constructor(origin: string, place: Place, setup: DialSetup) {
    this.origin = origin;
    this.proxy = place.proxy;
    this.client = new OneClient(origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEAD,
      // The exchange has one timer for everything; undici's would only be later.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
      connect: (_, callback) => {
        const owner = { watch: this.#watch, session: this.#session };
        const dialled = place.proxy === undefined ? dial(place, setup, owner) : dialThrough(place.proxy, place, setup, owner);
        dialled.then(
          (socket) => this.#connected(socket, callback),
          (error: Error) => callback(error, null),
        );
      },
    });
  }

  /** Who answers; nobody can tell behind a proxy. */
  get address(): string | undefined {
    return this.proxy === undefined ? this.#socket?.remoteAddress : undefined;
  }

  /**
   * Whether the connection was cut, not ended. When bytes are left to read, libuv reports a reset as a plain end; but a socket
   * that was reset has no peer any more. Node offers no public way to ask (it remembers the peer), and none is lost without it.
   */
  isCut(): boolean {
    const { _handle: handle } = (this.#socket ?? {}) as { _handle?: { getpeername?: (out: object) => number } | null };
    return (handle?.getpeername?.({}) ?? 0) !== 0;
  }

  /** Gives up whatever is under way. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.client.destroy(null, () => {});
    this.#socket?.destroy();
  }

  #connected(socket: Socket, callback: (error: null, socket: Socket) => void): void {
    this.isReused = false;
    socket.prependListener("error", disguiseReset);
    callback(null, socket);
  }

  readonly #watch = (socket: Socket): void => {
    this.#socket = socket;
    if (this.isClosed) socket.destroy(new Unreachable("connection", "given up", true));
    if (socket instanceof TLSSocket) {
      socket.on("session", (session) => {
        this.#session = session;
      });
    }
  };
}

/**
 * undici takes a reset for the proper end of a body without length, and fails an assertion, which nobody can catch, if that body is
 * paused. Under another name it is an error like any other.
 */
function disguiseReset(error: NodeJS.ErrnoException): void {
  if (error.code === "ECONNRESET") error.code = "ECONNABORTED";
}
