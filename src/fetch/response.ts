/** Bytes of response headers. */
export const MAX_HEAD = 64 * 1024;
/** A line that tells the size of a chunk. */
const MAX_SIZE_LINE = 4 * 1024;

/** Not HTTP, or HTTP that leaves open where a message ends. */
export class BrokenHttp extends Error {}

/** Whoever asked, as the answer comes in. Any call may end the exchange; none follows then. */
export interface Listener {
  /** Names and values in turn, as they were written; a byte is a character. */
  onHead(status: number, words: string, headers: readonly string[]): void;
  /** The bytes are overwritten after the call. False: no more for now, though some may be on their way. */
  onData(bytes: Uint8Array): boolean;
  onEnd(): void;
}

type State = "head" | "length" | "until-close" | "chunk-size" | "chunk" | "chunk-end" | "trailer" | "done";

const [LF, CR, H] = [10, 13, 72];
/** So many bytes tell whether this is HTTP. */
const FEW = 16;
const nothing = Buffer.alloc(0);

/**
 * One answer by HTTP/1.1 (RFC 9112), read as it arrives in pieces of any size. Where it is clear what was meant it is lenient: bare line feeds, header lines that
 * are none. What leaves open where the body ends is refused: two lengths, a length and chunks, sizes that are no numbers.
 */
export class ResponseReader {
  readonly #listener: Listener;
  #state: State = "head";
  /** What has come of a head, or of a line between chunks, that is not whole yet; so many bytes. */
  #pending = nothing;
  #held = 0;
  #headBytes = 0;
  /** Of a body of known length, or of a chunk. */
  #left = 0;
  #mayKeep = true;
  #isStopped = false;
  /** Whether the listener could do with more when it was last told something. */
  mayFlow = true;
  /** For how many seconds the server says it keeps the connection. */
  patience: number | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  get isDone(): boolean {
    return this.#state === "done";
  }

  /** Whether the connection may be used for another. */
  get mayKeep(): boolean {
    return this.isDone && this.#mayKeep;
  }

  /** Nobody listens any more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Answers how many of the bytes belong to this answer. */
  read(bytes: Buffer): number {
    let at = 0;
    this.mayFlow = true;
    while (at < bytes.length && !this.isDone && !this.#isStopped) at = this.#step(bytes, at);
    return at;
  }

  /** The connection ended: what is still open can only be a body that ends with it. */
  end(): void {
    if (this.#state === "until-close") this.#finish();
    else if (this.#state === "length") throw new Error("body shorter than its Content-Length");
    else if (this.#state === "head") throw new Error(this.#held > 0 ? "closed within the headers" : "closed without an answer");
    else if (!this.isDone) throw new Error("closed before the last chunk");
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes, at);
      case "length":
        return this.#readLength(bytes, at);
      case "until-close":
        this.#give(bytes, at, bytes.length);
        return bytes.length;
      case "chunk":
        return this.#readChunk(bytes, at);
      default:
        return this.#readLine(bytes, at);
    }
  }

  #give(bytes: Buffer, from: number, to: number): void {
    if (!this.#listener.onData(bytes.subarray(from, to))) this.mayFlow = false;
  }

  #finish(): void {
    this.#state = "done";
    this.#listener.onEnd();
  }

  #readLength(bytes: Buffer, at: number): number {
    const to = Math.min(bytes.length, at + this.#left);
    this.#left -= to - at;
    this.#give(bytes, at, to);
    if (this.#left === 0 && !this.#isStopped) this.#finish();
    return to;
  }

  #readChunk(bytes: Buffer, at: number): number {
    const to = Math.min(bytes.length, at + this.#left);
    this.#left -= to - at;
    if (this.#left === 0) this.#state = "chunk-end";
    this.#give(bytes, at, to);
    return to;
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#held;
    const text = before === 0 ? bytes.subarray(at) : this.#hold(bytes, at, bytes.length);
    if (text[0] !== H && looksForeign(text)) throw new BrokenHttp("no HTTP answer");
    const end = endOfHead(text, Math.max(0, before - 3));
    if (this.#headBytes + (end < 0 ? text.length : end) > MAX_HEAD) throw new BrokenHttp("too many headers");
    if (end < 0) {
      if (looksForeign(text)) throw new BrokenHttp("no HTTP answer");
      if (before === 0) this.#hold(bytes, at, bytes.length);
      return bytes.length;
    }
    this.#headBytes += end;
    this.#held = 0;
    this.#heardHead(text.toString("latin1", 0, end));
    return at + end - before;
  }

  /** Answers all that is held. */
  #hold(bytes: Buffer, from: number, to: number): Buffer {
    const length = this.#held + to - from;
    if (length > this.#pending.length) {
      const larger = Buffer.allocUnsafe(Math.max(256, 2 * length));
      larger.set(this.#pending.subarray(0, this.#held));
      this.#pending = larger;
    }
    bytes.copy(this.#pending, this.#held, from, to);
    this.#held = length;
    return this.#pending.subarray(0, length);
  }

  #heardHead(text: string): void {
    const lines = text.split("\n");
    // Some send an empty line too many after the answer before.
    const first = lines.findIndex((line) => line !== "" && line !== "\r");
    // One way only to read a line, or a long one made for it would take for ever.
    const [, minor, code, words = ""] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?:[ \t](.*))?\r?$/.exec(lines[first] ?? "") ?? [];
    if (code === undefined || text.includes("\0")) throw new BrokenHttp("no HTTP answer");
    const status = Number(code);
    const headers = headersIn(lines, first + 1);
    if (status === 101) throw new BrokenHttp("switched to another protocol, unasked");
    if (status < 200) return;
    const frame = frameOf(headers);
    this.#mayKeep = minor === "1" ? !frame.isLast : frame.isKept;
    this.patience = frame.patience;
    this.#state = stateFor(status, frame);
    this.#left = frame.length ?? 0;
    this.#listener.onHead(status, words.trim(), headers);
    if (this.#state === "done" && !this.#isStopped) this.#listener.onEnd();
  }

  /** A line between chunks, or of a trailer, whose headers nobody reads. */
  #readLine(bytes: Buffer, at: number): number {
    const feed = bytes.indexOf(LF, at);
    const to = feed < 0 ? bytes.length : feed + 1;
    this.#headBytes += this.#state === "trailer" ? to - at : 0;
    if (this.#headBytes > MAX_HEAD || this.#held + to - at > MAX_SIZE_LINE) throw new BrokenHttp("a line without end");
    const text = this.#held === 0 && feed >= 0 ? bytes.subarray(at, to) : this.#hold(bytes, at, to);
    if (feed < 0) return to;
    this.#held = 0;
    this.#heardLine(text.toString("latin1").replace(/\r?\n$/, ""));
    return to;
  }

  #heardLine(line: string): void {
    if (this.#state === "chunk-size") {
      const size = /^([0-9a-f]{1,13})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
      if (size === undefined) throw new BrokenHttp("a chunk whose size is no number");
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left > 0 ? "chunk" : "trailer";
    } else if (line !== "" && this.#state === "chunk-end") throw new BrokenHttp("a chunk longer than it said");
    else if (this.#state === "chunk-end") this.#state = "chunk-size";
    else if (line === "") this.#finish();
  }
}

/** After the empty line, or -1. */
function endOfHead(bytes: Buffer, from: number): number {
  for (let feed = bytes.indexOf(LF, from); feed >= 0; feed = bytes.indexOf(LF, feed + 1)) {
    const next = bytes[feed + 1] === CR ? feed + 2 : feed + 1;
    // Empty lines before the first do not end it.
    if (bytes[next] === LF && !isBlank(bytes, feed)) return next + 1;
  }
  return -1;
}

function isBlank(bytes: Buffer, to: number): boolean {
  for (let at = 0; at < to; at++) if (bytes[at] !== CR && bytes[at] !== LF) return false;
  return true;
}

/** Told by how it begins. A few empty lines may come first; a flood of them is no answer. */
function looksForeign(bytes: Buffer): boolean {
  const text = bytes.toString("latin1", 0, FEW).trimStart();
  return (text === "" && bytes.length >= FEW) || !"HTTP/1.".startsWith(text.slice(0, 7));
}

/** A line that begins with a space goes on with the one before it; one without a name says nothing. */
function headersIn(lines: readonly string[], from: number): string[] {
  const headers: string[] = [];
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!;
    const end = line.charCodeAt(line.length - 1) === CR ? line.length - 1 : line.length;
    if (end === 0) continue;
    if (line[0] === " " || line[0] === "\t") {
      if (headers.length > 0) headers.push(`${headers.pop()!} ${line.slice(0, end).trim()}`);
      continue;
    }
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    let value = colon + 1;
    while (value < end && (line[value] === " " || line[value] === "\t")) value += 1;
    headers.push(line.slice(0, colon).trimEnd(), line.slice(value, end));
  }
  return headers;
}

interface Frame {
  length: number | undefined;
  isCoded: boolean;
  isChunked: boolean;
  isLast: boolean;
  isKept: boolean;
  patience: number | undefined;
}

function frameOf(headers: readonly string[]): Frame {
  const frame: Frame = { length: undefined, isCoded: false, isChunked: false, isLast: false, isKept: false, patience: undefined };
  for (let at = 0; at < headers.length; at += 2) {
    const { length } = headers[at]!;
    // The names below are of these lengths; most others need not be looked at.
    if (length === 10 || length === 14 || length === 17) readFrame(frame, headers[at]!.toLowerCase(), headers[at + 1]!);
  }
  if (frame.isCoded && frame.length !== undefined) throw new BrokenHttp("both a length and chunks");
  return frame;
}

function readFrame(frame: Frame, name: string, value: string): void {
  if (name === "content-length") {
    const length = /^\d{1,15}[ \t]*$/.test(value) ? Number(value) : Number.NaN;
    if (frame.length !== undefined && frame.length !== length) throw new BrokenHttp("two lengths that differ");
    if (Number.isNaN(length)) throw new BrokenHttp("a length that is no number");
    frame.length = length;
  } else if (name === "transfer-encoding") {
    frame.isCoded = true;
    // RFC 9112 §7: chunked comes last, or the message ends with its connection.
    frame.isChunked = /(?:^|[,\s])chunked\s*$/i.test(value);
  } else if (name === "connection") {
    frame.isLast ||= /\bclose\b/i.test(value);
    frame.isKept ||= /\bkeep-alive\b/i.test(value);
  } else if (name === "keep-alive") {
    const timeout = /\btimeout=(\d{1,6})/i.exec(value)?.[1];
    if (timeout !== undefined) frame.patience = Number(timeout);
  }
}

function stateFor(status: number, { isCoded, isChunked, length }: Frame): State {
  if (status === 204 || status === 304) return "done";
  if (isChunked) return "chunk-size";
  if (isCoded || length === undefined) return "until-close";
  return length === 0 ? "done" : "length";
}
