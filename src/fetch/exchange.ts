import type { Dispatcher } from "undici";
import { type Answer, bodyOf } from "./answer.ts";
import type { Ask } from "./ask.ts";
import { Body } from "./body.ts";
import type { Budget } from "./budget.ts";
import { type Decoded, parseCodings } from "./codings.ts";
import { type Connection, MAX_HEAD } from "./connection.ts";
import type { Deadlines } from "./deadlines.ts";
import { classify, failed, type Phase, timedOut } from "./failure.ts";
import { codingsOf, type Head, latin1, pairsOf, readHead, sizeOf } from "./head.ts";
import { stopsOf } from "./stops.ts";
import { beginsAsDocument, mayBeDocument, SAMPLE } from "./unknown-type.ts";
import { type Aside, type RequestHead, responseHead, type Wire } from "./wire.ts";

/** An unwanted body up to this size is read to its end, so that the connection can be reused. */
const DRAIN = 64 * 1024;
/** Maximum bytes that an archive keeps of a response that is not a page. */
const ASIDE = 256 * 1024;

export interface Errand {
  readonly path: string;
  /** Names and values alternating. */
  readonly headers: string[];
  /** Decides from status and headers; undefined if the body is needed. */
  readonly judge: (status: number, head: Head) => Answer | undefined;
  readonly onHead: Ask["onHead"];
  /** Set if the raw request and response are recorded. */
  readonly record: { readonly request: RequestHead; readonly tell: (wire: Wire) => void } | undefined;
  /** Maximum decoded bytes. */
  readonly cap: number;
  /** A larger body is cut at the cap instead of refused. */
  readonly mayCut: boolean;
  readonly deadlines: Deadlines;
  readonly budget: Budget;
  readonly isStillOurs: Ask["turn"]["isStillOurs"];
}

/**
 * Sends one request over a connection. Always resolves, except that an abort rejects with its reason. Unless the response is complete, the
 * connection is closed.
 */
export function exchange(connection: Connection, errand: Errand, signal: AbortSignal): Promise<Answer> {
  const stops = stopsOf(signal);
  return new Promise((resolve, reject) => {
    const handler = new Exchange(connection, errand, (answer) => {
      stops.delete(stop);
      resolve(answer);
    });
    const stop = () => {
      handler.abandon();
      reject(signal.reason);
    };
    stops.add(stop);
    connection.get(errand.path, errand.headers, handler);
  });
}

/** undici calls the `on…` methods as the response arrives; the first event that ends the exchange decides its answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #errand: Errand;
  /** The answer for an unknown content type, unless the first bytes are those of a document. */
  #unlessDocument: Answer | undefined;
  #sample = "";
  readonly #settle: (answer: Answer) => void;
  #phase: Phase = "connect";
  #isReused = false;
  #isSettled = false;
  #isComplete = false;
  #status: number | undefined;
  /** Whether the message says where it ends. */
  #isFramed = false;
  #wireBytes = 0;
  /** Set if the answer is known before the body is read: the body is then only drained. */
  #answer: Answer | undefined;
  #body: Body | undefined;
  #heard: Pick<Wire, "response" | "address"> | undefined;
  #aside: Aside | undefined;

  constructor(connection: Connection, errand: Errand, settle: (answer: Answer) => void) {
    this.#connection = connection;
    this.#errand = errand;
    this.#settle = settle;
    errand.deadlines.add(this.#isOver);
  }

  /** One deadline for connecting, waiting, silence and slow data alike: no arriving data extends it. */
  readonly #isOver = (): void => this.#end(this.#answer ?? timedOut(this.#phase, this.#status, this.#connection));

  abandon(): void {
    this.#isSettled = true;
    this.#release();
  }

  /** Called when the connection is open, before anything is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#errand.isStillOurs?.() === false) {
      this.#end(failed("connection", "its turn had passed", {}));
      controller.abort(new Error("its turn had passed"));
      return;
    }
    this.#phase = "headers";
    this.#isReused = this.#connection.isReused;
    this.#connection.isReused = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _: unknown, words = ""): void {
    if (status < 200 || this.#isSettled) return;
    this.#phase = "body";
    this.#status = status;
    const headers = latin1(controller.rawHeaders as readonly Buffer[]);
    if (sizeOf(headers) > MAX_HEAD) {
      this.#end(failed("protocol", "too many headers", { status }));
      return;
    }
    const head = readHead(headers);
    this.#errand.onHead?.(status, pairsOf(headers));
    this.#isFramed = head.contentLength !== undefined || head.isChunked;
    this.#record(status, words, headers);
    this.#answer = this.#errand.judge(status, head) ?? this.#openBody(status, head);
    if (this.#answer !== undefined && mayBeDocument(this.#answer, head)) {
      this.#unlessDocument = this.#answer;
      if (this.#openBody(status, head) === undefined) this.#answer = undefined;
    }
    if (this.#answer === undefined) return;
    if (this.#heard !== undefined && status >= 300) this.#openAside(this.#answer, head);
    else if (!isWorthDraining(this.#answer, head)) this.#end(this.#answer);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#wireBytes += chunk.length;
    if (this.#unlessDocument !== undefined && this.#sample.length < SAMPLE) {
      this.#sample += chunk.toString("latin1", 0, SAMPLE);
      if (this.#sample.length >= SAMPLE && !this.#isDocument()) return;
    }
    if (this.#body !== undefined) {
      if (!this.#body.write(chunk)) this.#connection.pause();
    } else if (this.#wireBytes > DRAIN) this.#end(this.#answer!);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled) return;
    if (!this.#isFramed && this.#connection.isReset()) {
      this.onResponseError(controller, new Error("connection reset within the body"));
      return;
    }
    this.#isComplete = true;
    if (this.#unlessDocument !== undefined && this.#sample.length < SAMPLE && !this.#isDocument()) return;
    // The body may ask for a pause with its last bytes, which must not delay the next response.
    this.#connection.resume();
    if (this.#body !== undefined) this.#body.end();
    else this.#end(this.#answer!);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(this.#answer ?? classify(error, this.#phase, this.#status, this.#isReused));
  }

  /** Checks the first bytes; ends the exchange unless they are those of a document. */
  #isDocument(): boolean {
    if (beginsAsDocument(this.#sample, this.#errand.path)) return true;
    this.#end(this.#unlessDocument!);
    return false;
  }

  #record(status: number, words: string, headers: readonly string[]): void {
    const { record } = this.#errand;
    // A 407 comes from the proxy and not from the site.
    if (record === undefined || (status === 407 && this.#connection.proxy !== undefined)) return;
    this.#heard = { response: responseHead(status, words, headers, record.request.isPrivate), address: this.#connection.address };
  }

  /** Keeps the body of a response that is not a page for the archive, up to a limit; the answer does not depend on it. */
  #openAside(answer: Answer, head: Head): void {
    const codings = parseCodings(codingsOf(head));
    if (codings === undefined) {
      this.#end(answer);
      return;
    }
    const done = (decoded: Decoded) => {
      if (decoded.kind !== "broken") this.#aside = { bytes: decoded.bytes, isCut: decoded.kind === "over" };
      this.#end(answer);
    };
    const length = Math.min(head.contentLength ?? 0, ASIDE);
    this.#body = new Body({
      codings,
      cap: ASIDE,
      mayCut: true,
      length,
      budget: this.#errand.budget,
      resume: () => this.#connection.resume(),
      done,
    });
  }

  /** Prepares for reading a wanted body, or returns the reason for not reading it. */
  #openBody(status: number, head: Head): Answer | undefined {
    const { cap, mayCut, budget } = this.#errand;
    const length = head.contentLength ?? 0;
    const codings = parseCodings(codingsOf(head));
    if (codings === undefined) return failed("encoding", "unknown or too many codings", { status, mayHeal: false });
    if (length > cap && !mayCut) return this.#tooLarge();
    const done = (decoded: Decoded) => this.#end(this.#answerFrom(decoded, status, head));
    this.#body = new Body({ codings, cap, mayCut, length, budget, resume: () => this.#connection.resume(), done });
    return undefined;
  }

  #answerFrom(decoded: Decoded, status: number, head: Head): Answer {
    if (decoded.kind === "broken") return failed("encoding", decoded.detail, { status });
    if (decoded.kind === "over" && !this.#errand.mayCut) return this.#tooLarge();
    return bodyOf(status, head, decoded.bytes, this.#wireBytes, decoded.coded);
  }

  #tooLarge(): Answer {
    const rule = `larger than ${this.#errand.cap} bytes`;
    return { kind: "refused", by: "size", reason: "size", rule, status: this.#status, retryAfter: undefined };
  }

  #end(answer: Answer): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#release();
    if (this.#heard !== undefined)
      this.#errand.record?.tell({ ...this.#heard, request: this.#errand.record.request.text, aside: this.#aside });
    this.#settle(answer);
  }

  #release(): void {
    this.#errand.deadlines.delete(this.#isOver);
    this.#body?.stop();
    if (!this.#isComplete) this.#connection.close();
  }
}

function isWorthDraining(answer: Answer, head: Head): boolean {
  if (answer.kind === "refused" && (answer.by === "type" || answer.by === "size")) return false;
  return answer.kind !== "failed" && (head.contentLength ?? 0) <= DRAIN;
}
