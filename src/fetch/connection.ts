import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Client, Dispatcher } from "undici";
import { type DialSetup, dial, type Place } from "./dial.ts";
import { Unreachable } from "./failure.ts";
import type { ProxyServer } from "./proxy.ts";
import { dialThrough } from "./tunnel.ts";
import { UndiciClient } from "./undici-client.ts";

/** Bytes of response headers. undici counts names and values only, so its own limit is a bit wider. */
export const MAX_HEAD = 64 * 1024;

/** A server that announces a longer keep-alive is not believed for longer than this, in milliseconds. */
const MAX_KEEP_ALIVE = 30_000;

/** One connection to one origin: an undici client that is opened when first needed and reopened when the server closed it. One request at a time. */
export class Connection {
  readonly origin: string;
  readonly proxy: ProxyServer | undefined;
  readonly #client: Client;
  /** False until the first request after connecting has gone out. */
  isReused = false;
  isClosed = false;
  #socket: Socket | undefined;
  #isPaused = false;
  #session: Buffer | undefined;
  #tried: string[] = [];

  constructor(origin: string, place: Place, setup: DialSetup) {
    this.origin = origin;
    this.proxy = place.proxy;
    this.#client = new UndiciClient(origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEAD,
      // The exchange has one deadline for everything, so undici's timers would only be later.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE,
      connect: (_, callback) => {
        this.#tried = [];
        const owner = { watch: this.#watch, session: this.#session };
        const dialled = place.proxy === undefined ? dial(place, setup, owner) : dialThrough(place.proxy, place, setup, owner);
        dialled.then(
          (socket) => this.#connected(socket, callback),
          (error: Error) => callback(error, null),
        );
      },
    });
  }

  /** The address that answers; unknown behind a proxy. */
  get address(): string | undefined {
    return this.proxy === undefined ? this.#socket?.remoteAddress : undefined;
  }

  /** The addresses of the latest attempt to connect. */
  get tried(): readonly string[] {
    return this.#tried;
  }

  /** Sends a GET request. `headers`: names and values in turn. */
  get(path: string, headers: string[], handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch({ path, method: "GET", headers }, handler);
  }

  /** Stops reading; what was read already may still come. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket?.emit("readable");
  }

  /**
   * Whether the connection was reset rather than ended. When bytes are left to read, libuv reports a reset as a normal end; but a
   * socket that was reset has no peer any more. Node has no public call for this (`remoteAddress` is cached).
   */
  isReset(): boolean {
    const { _handle: handle } = (this.#socket ?? {}) as { _handle?: { getpeername?: (out: object) => number } | null };
    return (handle?.getpeername?.({}) ?? 0) !== 0;
  }

  /** Aborts whatever is under way. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#client.destroy(null, () => {});
    this.#socket?.destroy();
  }

  #connected(socket: Socket, callback: (error: null, socket: Socket) => void): void {
    this.isReused = false;
    this.#isPaused = false;
    socket.prependListener("error", renameReset);
    this.#readWhenNotPaused(socket);
    callback(null, socket);
  }

  /**
   * undici's own pause is not safe: when the server closes the connection behind a response that undici has paused, undici fails an
   * assertion that nobody can catch. So undici is never paused. It takes its bytes by `read`, which has none during our pause; the
   * socket's buffer fills up, Node stops reading, and the end of the stream waits with the rest.
   */
  #readWhenNotPaused(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size) => (this.#isPaused ? null : read(size));
  }

  readonly #watch = (socket: Socket, address?: string): void => {
    this.#socket = socket;
    if (address !== undefined) this.#tried.push(address);
    if (this.isClosed) socket.destroy(new Unreachable("connection", "given up", true));
    if (socket instanceof TLSSocket) {
      socket.on("session", (session) => {
        this.#session = session;
      });
    }
  };
}

/** undici takes ECONNRESET for the normal end of a body without length (macOS reports it after complete bodies). Under another code it is an error like any other. */
function renameReset(error: NodeJS.ErrnoException): void {
  if (error.code === "ECONNRESET") error.code = "ECONNABORTED";
}
