import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Client } from "undici";
import { type DialSetup, dial, type Place } from "./dial.ts";
import { Unreachable } from "./failure.ts";

/** Bytes of response headers. undici counts names and values only, so its limit is a bit wider. */
export const MAX_HEAD = 64 * 1024;

/** One connection to one origin, made when first needed and made again when the server closed it. One request at a time. */
export class Line {
  readonly origin: string;
  readonly client: Client;
  /** The socket's last error. undici takes a reset for the end of a body that has no length; with this we do not. */
  trouble: Error | undefined;
  /** False until the first request after connecting has gone out. */
  isReused = false;
  isClosed = false;
  #socket: Socket | undefined;
  #session: Buffer | undefined;

  constructor(origin: string, place: Place, setup: DialSetup) {
    this.origin = origin;
    this.client = new Client(origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEAD,
      // The exchange has one timer for everything; undici's would only be later.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
      connect: (_, callback) => {
        dial(place, setup, { watch: this.#watch, session: this.#session }).then(
          (socket) => this.#connected(socket, callback),
          (error: Error) => callback(error, null),
        );
      },
    });
  }

  /** Gives up whatever is under way. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.client.destroy(null, () => {});
    this.#socket?.destroy();
  }

  #connected(socket: Socket, callback: (error: null, socket: Socket) => void): void {
    this.trouble = undefined;
    this.isReused = false;
    callback(null, socket);
  }

  readonly #watch = (socket: Socket): void => {
    this.#socket = socket;
    if (this.isClosed) socket.destroy(new Unreachable("connection", "given up", true));
    socket.on("error", (error) => {
      this.trouble = error;
    });
    if (socket instanceof TLSSocket) {
      socket.on("session", (session) => {
        this.#session = session;
      });
    }
  };
}
