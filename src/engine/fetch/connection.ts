import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Client, Dispatcher } from "undici";
import { UnreachableError } from "./failure.ts";
import { type Destination, openSocket, type SocketSetup } from "./open-socket.ts";
import type { ProxyServer } from "./proxy.ts";
import { openThroughProxy } from "./tunnel.ts";
import { UndiciClient } from "./undici-client.ts";

/** Maximum bytes of response headers. undici counts only names and values, so its own limit is slightly wider. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** Upper limit for the keep-alive time that a server announces, in milliseconds. */
const MAX_KEEP_ALIVE_MS = 30_000;

/**
 * One connection to one origin: an undici client that connects on first use, and again after the server closed it. One request at a time.
 */
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
  #triedAddresses: string[] = [];

  constructor(origin: string, destination: Destination, setup: SocketSetup) {
    this.origin = origin;
    this.proxy = destination.proxy;
    this.#client = new UndiciClient(origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEAD_BYTES,
      // The exchange has one deadline for everything; undici's timers would only fire later.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      connect: (_, callback) => {
        this.#triedAddresses = [];
        const owner = { onSocket: this.#onSocket, session: this.#session };
        const opening =
          destination.proxy === undefined
            ? openSocket(destination, setup, owner)
            : openThroughProxy(destination.proxy, destination, setup, owner);
        opening.then(
          (socket) => this.#onConnected(socket, callback),
          (error: Error) => callback(error, null),
        );
      },
    });
  }

  /** The connected IP address; unknown behind a proxy. */
  get address(): string | undefined {
    return this.proxy === undefined ? this.#socket?.remoteAddress : undefined;
  }

  /** The addresses of the latest attempt to connect. */
  get triedAddresses(): readonly string[] {
    return this.#triedAddresses;
  }

  /** Sends a GET request. `headers`: names and values alternating. */
  get(path: string, headers: string[], handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch({ path, method: "GET", headers }, handler);
  }

  /** Stops reading; data already read may still be delivered. */
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

  /** Aborts the current request. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#client.destroy(null, () => {});
    this.#socket?.destroy();
  }

  #onConnected(socket: Socket, callback: (error: null, socket: Socket) => void): void {
    this.isReused = false;
    this.#isPaused = false;
    socket.prependListener("error", renameReset);
    this.#readWhenNotPaused(socket);
    callback(null, socket);
  }

  /**
   * undici's own pause is not safe: if the server closes the connection after a response that undici has paused, an assertion in undici
   * fails, and the error cannot be caught. So undici is never paused. It reads through `read`, which returns nothing during our pause; the
   * socket's buffer fills up, Node stops reading, and the end of the stream waits with the rest.
   */
  #readWhenNotPaused(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size) => (this.#isPaused ? null : read(size));
  }

  readonly #onSocket = (socket: Socket, address?: string): void => {
    this.#socket = socket;
    if (address !== undefined) this.#triedAddresses.push(address);
    if (this.isClosed) socket.destroy(new UnreachableError("connection", "given up", true));
    if (socket instanceof TLSSocket) {
      socket.on("session", (session) => {
        this.#session = session;
      });
    }
  };
}

/**
 * undici treats ECONNRESET as the normal end of a body without length (macOS reports it after complete bodies). With another code it is
 * handled as an error.
 */
function renameReset(error: NodeJS.ErrnoException): void {
  if (error.code === "ECONNRESET") error.code = "ECONNABORTED";
}
