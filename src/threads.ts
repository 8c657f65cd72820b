import { availableParallelism } from "node:os";
import { type Transferable, Worker } from "node:worker_threads";

/** An answer, or why there is none: the document is to blame, not the program that reads it. */
export type Answered<A> = { readonly answer: A } | { readonly error: string };

/** Threads that read documents, each with a limit to its time and memory. */
export interface Threads<Job, Answer> {
  /** Starts a thread for a first job that is sure to come. */
  prepare(): void;
  /** Rejects when the signal is aborted; a thread that works for nobody else is ended then. */
  ask(job: Job, signal?: AbortSignal): Promise<Answered<Answer>>;
  close(): Promise<void>;
}

/** How jobs travel to one thread, and answers back. */
export interface Wire<Job, Answer> {
  pack(jobs: readonly Job[]): { readonly message: unknown; readonly transfer: readonly Transferable[] };
  /** In the order of the jobs. */
  unpack(message: unknown): readonly Answered<Answer>[];
}

export interface ThreadProgram<Job, Answer> {
  readonly url: URL;
  readonly data?: unknown;
  /** Bytes of the document. */
  readonly sizeOf: (job: Job) => number;
  readonly openWire: () => Wire<Job, Answer>;
  /** So many jobs go to a thread together: waking it costs as much as reading a small page. */
  readonly mostJobs: number;
}

export interface ThreadLimits {
  readonly threads?: number | undefined;
  /** Milliseconds: longer than any page of the permitted size takes; shorter than a person's patience. */
  readonly patience?: number | undefined;
  /** Megabytes of a thread's heap: enough for a usual page of the permitted size. */
  readonly memory?: number | undefined;
  /** Milliseconds after which a thread without work is ended; never, unless given. */
  readonly rest?: number | undefined;
}

/** Jobs that go to a thread together are not larger than this, but for one that is alone. */
export const MOST_BYTES = 1024 * 1024;
/** Documents that all threads read at the same time are not larger than this, but for one that is alone: what reading takes is a multiple of it. */
const MOST_IN_HAND = 12 * 1024 * 1024;
/** A thread that has read a document larger than this keeps the memory that it took: another takes its place. */
const LARGE = 4 * 1024 * 1024;

const PATIENCE = 30_000;
const MEMORY = 384;
const YOUNG = 32;
const CLOSED = "the reader was closed";

interface Waiting<Job, Answer> {
  readonly job: Job;
  readonly settle: (result: Answered<Answer>) => void;
  /** Was in a batch that a thread died of: read alone next time, so that the page to blame is known. */
  isSuspect: boolean;
}

interface Thread<Job, Answer> {
  readonly worker: Worker;
  readonly wire: Wire<Job, Answer>;
  current: readonly Waiting<Job, Answer>[];
  /** Of what it reads now. */
  bytes: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const whyOf = ({ code, message }: Error & { readonly code?: string }): string =>
  code === "ERR_WORKER_OUT_OF_MEMORY" ? "reading took more memory than a reader may have" : `the reader crashed: ${message}`;

/** A pool of threads. One that crashes, hangs or takes too much memory is replaced, and the document it was reading is named. */
export class ThreadPool<Job, Answer> implements Threads<Job, Answer> {
  readonly #program: ThreadProgram<Job, Answer>;
  readonly #limits: ThreadLimits;
  readonly #size: number;
  readonly #threads = new Set<Thread<Job, Answer>>();
  readonly #idle: Thread<Job, Answer>[] = [];
  readonly #waiting: Waiting<Job, Answer>[] = [];
  #inHand = 0;
  #isClosed = false;
  #isGiving = false;

  constructor(program: ThreadProgram<Job, Answer>, limits: ThreadLimits = {}) {
    this.#program = program;
    this.#limits = limits;
    this.#size = limits.threads ?? Math.max(1, availableParallelism() - 1);
  }

  prepare(): void {
    if (this.#threads.size === 0) this.#rest(this.#start());
  }

  ask(job: Job, signal?: AbortSignal): Promise<Answered<Answer>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      if (this.#isClosed) return resolve({ error: CLOSED });
      const settle = (result: Answered<Answer>) => {
        signal?.removeEventListener("abort", leave);
        resolve(result);
      };
      const waiting: Waiting<Job, Answer> = { job, settle, isSuspect: false };
      const leave = () => {
        reject(signal!.reason as Error);
        this.#forget(waiting);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
      this.#giveSoon();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { settle } of this.#waiting.splice(0)) settle({ error: CLOSED });
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #start(): Thread<Job, Answer> {
    const { url, data, openWire } = this.#program;
    const { memory = MEMORY } = this.#limits;
    const resourceLimits = { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG };
    const worker = new Worker(url, { workerData: data, resourceLimits });
    const thread: Thread<Job, Answer> = { worker, wire: openWire(), current: [], bytes: 0, timer: undefined };
    this.#threads.add(thread);
    worker.on("message", (message: unknown) => this.#finish(thread, thread.wire.unpack(message)));
    worker.on("error", (cause: Error) => this.#lose(thread, whyOf(cause)));
    worker.on("exit", () => this.#lose(thread, "the reader stopped"));
    worker.unref();
    return thread;
  }

  #finish(thread: Thread<Job, Answer>, answers: readonly Answered<Answer>[]): void {
    const { current, bytes } = thread;
    this.#release(thread);
    if (bytes > LARGE) this.#end(thread);
    else this.#give(thread);
    for (const [index, { settle }] of current.entries()) settle(answers[index]!);
    this.#giveSoon();
  }

  #release(thread: Thread<Job, Answer>): void {
    clearTimeout(thread.timer);
    this.#inHand -= thread.bytes;
    thread.bytes = 0;
    thread.current = [];
  }

  #lose(thread: Thread<Job, Answer>, why: string): void {
    if (!this.#threads.delete(thread)) return;
    const place = this.#idle.indexOf(thread);
    if (place >= 0) this.#idle.splice(place, 1);
    const { current } = thread;
    this.#release(thread);
    if (current.length === 1 || this.#isClosed) for (const { settle } of current) settle({ error: why });
    else for (const each of current) this.#waiting.unshift(Object.assign(each, { isSuspect: true }));
    this.#giveSoon();
  }

  #end(thread: Thread<Job, Answer>, why = ""): void {
    this.#lose(thread, why);
    void thread.worker.terminate();
  }

  /** Nobody waits for it any more. */
  #forget(waiting: Waiting<Job, Answer>): void {
    const place = this.#waiting.indexOf(waiting);
    if (place >= 0) this.#waiting.splice(place, 1);
    const thread = [...this.#threads].find(({ current }) => current.length === 1 && current[0] === waiting);
    if (thread) this.#end(thread);
  }

  /** As many as fit together; a suspect, or a body that had to be copied to be read again, goes alone. */
  #nextBatch(): { readonly batch: Waiting<Job, Answer>[]; readonly bytes: number } {
    const { sizeOf, mostJobs } = this.#program;
    const batch: Waiting<Job, Answer>[] = [];
    let bytes = 0;
    while (this.#waiting.length > 0 && batch.length < mostJobs && bytes < MOST_BYTES) {
      const next = this.#waiting[0]!;
      const size = sizeOf(next.job);
      if (batch.length > 0 && (next.isSuspect || bytes + size > LARGE)) break;
      if (this.#inHand + bytes > 0 && this.#inHand + bytes + size > MOST_IN_HAND) break;
      this.#waiting.shift();
      batch.push(next);
      bytes += size;
      if (next.isSuspect) break;
    }
    return { batch, bytes };
  }

  #give(thread: Thread<Job, Answer>): void {
    const { batch, bytes } = this.#nextBatch();
    if (batch.length === 0) {
      this.#rest(thread);
      return;
    }
    const { patience = PATIENCE } = this.#limits;
    clearTimeout(thread.timer);
    thread.current = batch;
    thread.bytes = bytes;
    this.#inHand += bytes;
    thread.worker.ref();
    thread.timer = setTimeout(() => this.#end(thread, `reading took longer than ${patience / 1000} s`), patience);
    const { message, transfer } = thread.wire.pack(batch.map(({ job }) => job));
    thread.worker.postMessage(message, transfer);
  }

  #rest(thread: Thread<Job, Answer>): void {
    const { rest } = this.#limits;
    thread.worker.unref();
    this.#idle.push(thread);
    if (rest !== undefined) thread.timer = setTimeout(() => this.#end(thread), rest).unref();
  }

  /** Jobs of the same moment go together. */
  #giveSoon(): void {
    if (this.#isGiving || this.#isClosed || this.#waiting.length === 0) return;
    if (this.#idle.length === 0 && this.#threads.size >= this.#size) return;
    this.#isGiving = true;
    setImmediate(() => {
      this.#isGiving = false;
      while (this.#waiting.length > 0 && this.#mayGive()) {
        const thread = this.#idle.pop() ?? (this.#threads.size < this.#size ? this.#start() : undefined);
        if (!thread) return;
        this.#give(thread);
      }
    });
  }

  /** Whether the next document fits beside those that are read now. */
  #mayGive(): boolean {
    const [next] = this.#waiting;
    return next !== undefined && (this.#inHand === 0 || this.#inHand + this.#program.sizeOf(next.job) <= MOST_IN_HAND);
  }
}
