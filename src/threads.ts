import { availableParallelism } from "node:os";
import { type Transferable, Worker } from "node:worker_threads";

/** An answer, or the reason why there is none; the document is to blame, not the program that reads it. */
export type Answered<A> = { readonly answer: A } | { readonly error: string };

/** Worker threads that read documents, with time and memory limits. */
export interface Threads<Job, Answer> {
  /** Starts a thread in advance, for a first job that is certain to come. */
  prepare(): void;
  /** Rejects when the signal is aborted; a thread that works on nothing else is then terminated. */
  ask(job: Job, signal?: AbortSignal): Promise<Answered<Answer>>;
  close(): Promise<void>;
}

/** Serializes jobs for one thread, and its answers. */
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
  /** Batch limit. Jobs are batched because waking a thread costs as much as reading a small page. */
  readonly mostJobs: number;
}

export interface ThreadLimits {
  readonly threads?: number | undefined;
  /** Timeout in milliseconds: longer than any page of the permitted size takes, shorter than a person would wait. */
  readonly patience?: number | undefined;
  /** Heap limit of a thread in megabytes: enough for a usual page of the permitted size. */
  readonly memory?: number | undefined;
  /** Milliseconds after which an idle thread is terminated; never, unless given. */
  readonly rest?: number | undefined;
}

/** Size limit of a batch; a single larger job is sent alone. */
export const MOST_BYTES = 1024 * 1024;
/** Size limit of all documents that are read at the same time, unless it is one alone: reading takes a multiple of the size in memory. */
const MOST_IN_HAND = 12 * 1024 * 1024;
/** A thread that has read a larger document is replaced, because V8 does not return the memory. */
const LARGE = 4 * 1024 * 1024;

const PATIENCE = 30_000;
const MEMORY = 384;
const YOUNG = 32;
const CLOSED = "the reader was closed";

interface Waiting<Job, Answer> {
  readonly job: Job;
  readonly settle: (result: Answered<Answer>) => void;
  /** Was in a batch on which a thread crashed. It is read alone next time, to find the document that causes it. */
  isSuspect: boolean;
}

interface Thread<Job, Answer> {
  readonly worker: Worker;
  readonly wire: Wire<Job, Answer>;
  current: readonly Waiting<Job, Answer>[];
  /** Size of the current batch. */
  bytes: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const whyOf = ({ code, message }: Error & { readonly code?: string }): string =>
  code === "ERR_WORKER_OUT_OF_MEMORY" ? "reading took more memory than a reader may have" : `the reader crashed: ${message}`;

/** A pool of threads. One that crashes, hangs or takes too much memory is replaced, and the document that it was reading is reported. */
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

  /** Removes a job whose caller has gone. */
  #forget(waiting: Waiting<Job, Answer>): void {
    const place = this.#waiting.indexOf(waiting);
    if (place >= 0) this.#waiting.splice(place, 1);
    const thread = [...this.#threads].find(({ current }) => current.length === 1 && current[0] === waiting);
    if (thread) this.#end(thread);
  }

  /** As many jobs as fit into a batch. A suspect, or a body that had to be copied for a second reading, goes alone. */
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

  /** Jobs of the same tick go into one batch. */
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

  /** Whether the next document fits into memory beside those being read. */
  #mayGive(): boolean {
    const [next] = this.#waiting;
    return next !== undefined && (this.#inHand === 0 || this.#inHand + this.#program.sizeOf(next.job) <= MOST_IN_HAND);
  }
}
