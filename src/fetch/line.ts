import type { OnReadOpts, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type DialSetup, dial, type Place } from "./dial.ts";
import { Unreachable } from "./failure.ts";
import type { ProxyServer } from "./proxy.ts";
import { type Listener, ResponseReader } from "./response.ts";
import { dialThrough } from "./tunnel.ts";

/** What the system hands over at once. It is used again and again: bytes are copied to where they are kept, or they are gone. */
const READ_SIZE = 32 * 1024;
/** How long an idle connection is trusted, in milliseconds: less than servers usually wait, or as they say, and not for ever. */
const TRUST = 4000;
const MOST_TRUST = 30_000;
/** What is sent now must not meet the end that the server announced for about now. */
const ON_THE_WAY = 1000;

/** Whoever asks over a line. */
export interface Asker extends Listener {
  /** There is a connection, and nothing is written yet. False: nothing will be. */
  onConnect(): boolean;
  onError(error: Error): void;
}

/** One connection to one origin, made when first needed and made again when the server closed it. One request at a time. */
export class Line {
  readonly origin: string;
  readonly proxy: ProxyServer | undefined;
  readonly #place: Place;
  readonly #setup: DialSetup;
  /** False until the first request after connecting has gone out. */
  isReused = false;
  isClosed = false;
  #socket: Socket | undefined;
  #isUp = false;
  #session: Buffer | undefined;
  #asker: Asker | undefined;
  #reader: ResponseReader | undefined;
  #trustedUntil = Number.POSITIVE_INFINITY;

  constructor(origin: string, place: Place, setup: DialSetup) {
    this.origin = origin;
    this.proxy = place.proxy;
    this.#place = place;
    this.#setup = setup;
  }

  /** Who answers; nobody can tell behind a proxy. */
  get address(): string | undefined {
    return this.proxy === undefined ? this.#socket?.remoteAddress : undefined;
  }

  /** Idle for so long that the server may be closing it. */
  get isStale(): boolean {
    return performance.now() > this.#trustedUntil;
  }

  /** Sends a request, a byte a character, and tells the asker what comes of it. */
  ask(request: string, asker: Asker): void {
    this.#asker = asker;
    if (this.#isUp && this.isStale) this.#hangUp();
    if (this.#isUp) this.#write(request);
    else
      this.#connect().then(
        () => this.#write(request),
        (error: Error) => this.#fail(error),
      );
  }

  /** Asks for more after the asker had enough for a while. */
  resume(): void {
    if (this.#isUp) this.#socket?.resume();
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
    this.#asker = undefined;
    this.#hangUp();
  }

  async #connect(): Promise<void> {
    const owner = { watch: this.#watch, session: this.#session, onread: this.#onread };
    const { proxy } = this.#place;
    const socket = await (proxy === undefined
      ? dial(this.#place, this.#setup, owner)
      : dialThrough(proxy, this.#place, this.#setup, owner));
    if (this.isClosed) socket.destroy();
    this.isReused = false;
    this.#isUp = !this.isClosed;
    this.#trustedUntil = Number.POSITIVE_INFINITY;
    // TLS within a tunnel is a stream in any case.
    if (proxy !== undefined && this.#place.isSecure) socket.on("data", (bytes: Buffer) => this.#read(bytes) || socket.pause());
    socket
      .on("end", () => this.#ended(socket))
      .on("error", (error) => this.#lost(socket, error))
      .on("close", () => this.#lost(socket, new Error("the connection was closed")));
  }

  #write(request: string): void {
    if (this.#asker?.onConnect() !== true) return;
    this.#reader = new ResponseReader(this.#asker);
    this.#socket!.write(request, "latin1");
  }

  /** Made once: what comes is read into the same memory every time. */
  readonly #onread: OnReadOpts = {
    buffer: Buffer.allocUnsafeSlow(READ_SIZE),
    callback: (length, buffer) => this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length)),
  };

  #read(bytes: Buffer): boolean {
    const reader = this.#reader;
    // Said unasked: it must not become the answer to what is asked next.
    if (reader === undefined) {
      this.#hangUp();
      return true;
    }
    try {
      const read = reader.read(bytes);
      if (reader.isDone) this.#answered(reader, read < bytes.length);
    } catch (error) {
      this.#fail(error as Error);
    }
    return reader.mayFlow || reader.isDone;
  }

  #answered(reader: ResponseReader, isMore: boolean): void {
    this.#asker = undefined;
    this.#reader = undefined;
    if (isMore || !reader.mayKeep) {
      this.#hangUp();
      return;
    }
    const trust = reader.patience === undefined ? TRUST : Math.min(MOST_TRUST, reader.patience * 1000 - ON_THE_WAY);
    this.#trustedUntil = performance.now() + trust;
  }

  #ended(socket: Socket): void {
    if (socket !== this.#socket) return;
    const reader = this.#reader;
    try {
      reader?.end();
      if (reader) this.#answered(reader, true);
      else this.#lost(socket, new Error("closed without an answer"));
    } catch (error) {
      this.#lost(socket, error as Error);
    }
  }

  #lost(socket: Socket, error: Error): void {
    if (socket !== this.#socket || !this.#isUp) return;
    this.#hangUp();
    this.#fail(error);
  }

  #fail(error: Error): void {
    const asker = this.#asker;
    this.#asker = undefined;
    asker?.onError(error);
  }

  #hangUp(): void {
    this.#reader?.stop();
    this.#reader = undefined;
    this.#isUp = false;
    this.#socket?.destroy();
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
