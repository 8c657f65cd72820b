import type { Dispatcher } from "undici";
import { abortCallbacksOf } from "./abort-callbacks.ts";
import { type Answer, bodyAnswer } from "./answer.ts";
import { Body } from "./body.ts";
import { type Decoded, parseCodings } from "./codings.ts";
import { type Connection, MAX_HEAD_BYTES } from "./connection.ts";
import type { Deadlines } from "./deadlines.ts";
import { classifyError, makeFailure, type Phase, timeoutFailure } from "./failure.ts";
import type { FetchRequest } from "./fetch-request.ts";
import { codingsOf, type Head, latin1Texts, pairsOf, readHead, sizeOf } from "./head.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import { type NonPageBody, type RawExchange, type RequestHead, responseHead } from "./raw-exchange.ts";
import { mayBeDocument, SAMPLE_BYTES, startsLikeDocument } from "./unknown-type.ts";

/** An unwanted body up to this size is read to its end, so that the connection can be reused. */
const MAX_DRAIN_BYTES = 64 * 1024;
/** Maximum bytes that an archive keeps of a response that is not a page. */
const MAX_NON_PAGE_BYTES = 256 * 1024;

export interface ExchangeSetup {
  readonly path: string;
  /** Names and values alternating. */
  readonly headers: string[];
  /** Decides from status and headers; undefined if the body is needed. */
  readonly classifyHead: (status: number, head: Head) => Answer | undefined;
  readonly onHead: FetchRequest["onHead"];
  /** Set if the raw request and response are recorded. */
  readonly record: { readonly request: RequestHead; readonly onRecorded: (wire: RawExchange) => void } | undefined;
  /** Maximum decoded bytes. */
  readonly maxBytes: number;
  /** A larger body is cut at the cap instead of refused. */
  readonly mayCut: boolean;
  readonly deadlines: Deadlines;
  readonly budget: MemoryBudget;
  readonly isStillOurs: FetchRequest["turn"]["isStillOurs"];
}

/**
 * Sends one request over a connection. Always resolves, except that an abort rejects with its reason. Unless the response is complete, the
 * connection is closed.
 */
export function exchange(connection: Connection, setup: ExchangeSetup, signal: AbortSignal): Promise<Answer> {
  const abortCallbacks = abortCallbacksOf(signal);
  return new Promise((resolve, reject) => {
    const handler = new Exchange(connection, setup, (answer) => {
      abortCallbacks.delete(onAbort);
      resolve(answer);
    });
    const onAbort = () => {
      handler.abandon();
      reject(signal.reason);
    };
    abortCallbacks.add(onAbort);
    connection.get(setup.path, setup.headers, handler);
  });
}

/** undici calls the `on…` methods as the response arrives; the first event that ends the exchange decides its answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #setup: ExchangeSetup;
  /** The answer for an unknown content type, unless the first bytes are those of a document. */
  #fallbackAnswer: Answer | undefined;
  #sample = "";
  readonly #settle: (answer: Answer) => void;
  #phase: Phase = "connect";
  #isReused = false;
  #isSettled = false;
  #isComplete = false;
  #status: number | undefined;
  /** Whether the message says where it ends. */
  #hasKnownEnd = false;
  #wireBytes = 0;
  /** Set if the answer is known before the body is read: the body is then only drained. */
  #answer: Answer | undefined;
  #body: Body | undefined;
  #recorded: Pick<RawExchange, "response" | "address"> | undefined;
  #aside: NonPageBody | undefined;

  constructor(connection: Connection, setup: ExchangeSetup, settle: (answer: Answer) => void) {
    this.#connection = connection;
    this.#setup = setup;
    this.#settle = settle;
    setup.deadlines.add(this.#onTimeout);
  }

  /** One deadline for connecting, waiting, silence and slow data alike: no arriving data extends it. */
  readonly #onTimeout = (): void => this.#end(this.#answer ?? timeoutFailure(this.#phase, this.#status, this.#connection));

  abandon(): void {
    this.#isSettled = true;
    this.#release();
  }

  /** Called when the connection is open, before anything is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#setup.isStillOurs?.() === false) {
      this.#end(makeFailure("connection", "its turn had passed", {}));
      controller.abort(new Error("its turn had passed"));
      return;
    }
    this.#phase = "headers";
    this.#isReused = this.#connection.isReused;
    this.#connection.isReused = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _: unknown, statusText = ""): void {
    if (status < 200 || this.#isSettled) return;
    this.#phase = "body";
    this.#status = status;
    const headers = latin1Texts(controller.rawHeaders as readonly Buffer[]);
    if (sizeOf(headers) > MAX_HEAD_BYTES) {
      this.#end(makeFailure("protocol", "too many headers", { status }));
      return;
    }
    const head = readHead(headers);
    this.#setup.onHead?.(status, pairsOf(headers));
    this.#hasKnownEnd = head.contentLength !== undefined || head.isChunked;
    this.#record(status, statusText, headers);
    this.#answer = this.#setup.classifyHead(status, head) ?? this.#openBody(status, head);
    if (this.#answer !== undefined && mayBeDocument(this.#answer, head)) {
      this.#fallbackAnswer = this.#answer;
      if (this.#openBody(status, head) === undefined) this.#answer = undefined;
    }
    if (this.#answer === undefined) return;
    if (this.#recorded !== undefined && status >= 300) this.#openNonPageBody(this.#answer, head);
    else if (!isWorthDraining(this.#answer, head)) this.#end(this.#answer);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#wireBytes += chunk.length;
    if (this.#fallbackAnswer !== undefined && this.#sample.length < SAMPLE_BYTES) {
      this.#sample += chunk.toString("latin1", 0, SAMPLE_BYTES);
      if (this.#sample.length >= SAMPLE_BYTES && !this.#checkDocument()) return;
    }
    if (this.#body !== undefined) {
      if (!this.#body.write(chunk)) this.#connection.pause();
    } else if (this.#wireBytes > MAX_DRAIN_BYTES) this.#end(this.#answer!);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled) return;
    if (!this.#hasKnownEnd && this.#connection.isReset()) {
      this.onResponseError(controller, new Error("connection reset within the body"));
      return;
    }
    this.#isComplete = true;
    if (this.#fallbackAnswer !== undefined && this.#sample.length < SAMPLE_BYTES && !this.#checkDocument()) return;
    // The body may ask for a pause with its last bytes, which must not delay the next response.
    this.#connection.resume();
    if (this.#body !== undefined) this.#body.end();
    else this.#end(this.#answer!);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(this.#answer ?? classifyError(error, this.#phase, this.#status, this.#isReused));
  }

  /** Checks the first bytes; ends the exchange unless they are those of a document. */
  #checkDocument(): boolean {
    if (startsLikeDocument(this.#sample, this.#setup.path)) return true;
    this.#end(this.#fallbackAnswer!);
    return false;
  }

  #record(status: number, statusText: string, headers: readonly string[]): void {
    const { record } = this.#setup;
    // A 407 comes from the proxy and not from the site.
    if (record === undefined || (status === 407 && this.#connection.proxy !== undefined)) return;
    this.#recorded = { response: responseHead(status, statusText, headers, record.request.isPrivate), address: this.#connection.address };
  }

  /** Keeps the body of a response that is not a page for the archive, up to a limit; the answer does not depend on it. */
  #openNonPageBody(answer: Answer, head: Head): void {
    const codings = parseCodings(codingsOf(head));
    if (codings === undefined) {
      this.#end(answer);
      return;
    }
    const done = (decoded: Decoded) => {
      if (decoded.kind !== "broken") this.#aside = { bytes: decoded.bytes, isCut: decoded.kind === "over" };
      this.#end(answer);
    };
    const length = Math.min(head.contentLength ?? 0, MAX_NON_PAGE_BYTES);
    this.#body = new Body({
      codings,
      maxBytes: MAX_NON_PAGE_BYTES,
      mayCut: true,
      length,
      budget: this.#setup.budget,
      resume: () => this.#connection.resume(),
      onDone: done,
    });
  }

  /** Prepares for reading a wanted body, or returns the reason for not reading it. */
  #openBody(status: number, head: Head): Answer | undefined {
    const { maxBytes, mayCut, budget } = this.#setup;
    const length = head.contentLength ?? 0;
    const codings = parseCodings(codingsOf(head));
    if (codings === undefined) return makeFailure("encoding", "unknown or too many codings", { status, mayHeal: false });
    if (length > maxBytes && !mayCut) return this.#tooLarge();
    const done = (decoded: Decoded) => this.#end(this.#answerFromBody(decoded, status, head));
    this.#body = new Body({ codings, maxBytes, mayCut, length, budget, resume: () => this.#connection.resume(), onDone: done });
    return undefined;
  }

  #answerFromBody(decoded: Decoded, status: number, head: Head): Answer {
    if (decoded.kind === "broken") return makeFailure("encoding", decoded.detail, { status });
    if (decoded.kind === "over" && !this.#setup.mayCut) return this.#tooLarge();
    return bodyAnswer(status, head, decoded.bytes, this.#wireBytes, decoded.coded);
  }

  #tooLarge(): Answer {
    const rule = `larger than ${this.#setup.maxBytes} bytes`;
    return { kind: "refused", by: "size", reason: "size", rule, status: this.#status, retryAfter: undefined };
  }

  #end(answer: Answer): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#release();
    if (this.#recorded !== undefined)
      this.#setup.record?.onRecorded({ ...this.#recorded, request: this.#setup.record.request.text, aside: this.#aside });
    this.#settle(answer);
  }

  #release(): void {
    this.#setup.deadlines.delete(this.#onTimeout);
    this.#body?.stop();
    if (!this.#isComplete) this.#connection.close();
  }
}

function isWorthDraining(answer: Answer, head: Head): boolean {
  if (answer.kind === "refused" && (answer.by === "type" || answer.by === "size")) return false;
  return answer.kind !== "failed" && (head.contentLength ?? 0) <= MAX_DRAIN_BYTES;
}
