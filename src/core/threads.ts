import { availableParallelism } from "node:os";
import { type Transferable, Worker } from "node:worker_threads";

/** An answer, or the reason why there is none; the document is to blame, not the program that reads it. */
export type AnswerOrError<A> = { readonly answer: A } | { readonly error: string };

/** Worker threads that read documents, with time and memory limits. */
export interface Threads<Job, Answer> {
  /** Starts a thread in advance, for a first job that is certain to come. */
  prepare(): void;
  /** Rejects when the signal is aborted; a thread that works on nothing else is then terminated. */
  ask(job: Job, signal?: AbortSignal): Promise<AnswerOrError<Answer>>;
  close(): Promise<void>;
}

/** Serializes jobs for one thread, and its answers. */
export interface JobCodec<Job, Answer> {
  pack(jobs: readonly Job[]): { readonly message: unknown; readonly transfer: readonly Transferable[] };
  /** In the order of the jobs. */
  unpack(message: unknown): readonly AnswerOrError<Answer>[];
}

export interface ThreadProgram<Job, Answer> {
  readonly url: URL;
  readonly data?: unknown;
  /** Bytes of the document. */
  readonly sizeOf: (job: Job) => number;
  readonly openCodec: () => JobCodec<Job, Answer>;
  /** Batch limit. Jobs are batched because waking a thread costs as much as reading a small page. */
  readonly maxJobs: number;
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
export const MAX_BATCH_BYTES = 1024 * 1024;
/** Size limit of all documents that are read at the same time, unless it is one alone: reading takes a multiple of the size in memory. */
const MAX_BYTES_IN_PROGRESS = 12 * 1024 * 1024;
/** A thread that has read a larger document is replaced, because V8 does not return the memory. */
const LARGE_BYTES = 4 * 1024 * 1024;

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MEMORY_MB = 384;
const YOUNG_HEAP_MB = 32;
const CLOSED_ERROR = "the reader was closed";

interface QueuedJob<Job, Answer> {
  readonly job: Job;
  readonly settle: (result: AnswerOrError<Answer>) => void;
  /** Was in a batch on which a thread crashed. It is read alone next time, to find the document that causes it. */
  isSuspect: boolean;
}

interface Thread<Job, Answer> {
  readonly worker: Worker;
  readonly codec: JobCodec<Job, Answer>;
  current: readonly QueuedJob<Job, Answer>[];
  /** Size of the current batch. */
  bytes: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const failureReason = ({ code, message }: Error & { readonly code?: string }): string =>
  code === "ERR_WORKER_OUT_OF_MEMORY" ? "reading took more memory than a reader may have" : `the reader crashed: ${message}`;

/** A pool of threads. One that crashes, hangs or takes too much memory is replaced, and the document that it was reading is reported. */
export class ThreadPool<Job, Answer> implements Threads<Job, Answer> {
  readonly #program: ThreadProgram<Job, Answer>;
  readonly #limits: ThreadLimits;
  readonly #size: number;
  readonly #threads = new Set<Thread<Job, Answer>>();
  readonly #idle: Thread<Job, Answer>[] = [];
  readonly #waiting: QueuedJob<Job, Answer>[] = [];
  #bytesInProgress = 0;
  #isClosed = false;
  #isScheduled = false;

  constructor(program: ThreadProgram<Job, Answer>, limits: ThreadLimits = {}) {
    this.#program = program;
    this.#limits = limits;
    this.#size = limits.threads ?? Math.max(1, availableParallelism() - 1);
  }

  prepare(): void {
    if (this.#threads.size === 0) this.#rest(this.#start());
  }

  ask(job: Job, signal?: AbortSignal): Promise<AnswerOrError<Answer>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      if (this.#isClosed) return resolve({ error: CLOSED_ERROR });
      const settle = (result: AnswerOrError<Answer>) => {
        signal?.removeEventListener("abort", leave);
        resolve(result);
      };
      const waiting: QueuedJob<Job, Answer> = { job, settle, isSuspect: false };
      const leave = () => {
        reject(signal!.reason as Error);
        this.#cancel(waiting);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
      this.#assignSoon();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { settle } of this.#waiting.splice(0)) settle({ error: CLOSED_ERROR });
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #start(): Thread<Job, Answer> {
    const { url, data, openCodec } = this.#program;
    const { memory = DEFAULT_MEMORY_MB } = this.#limits;
    const resourceLimits = { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_HEAP_MB };
    const worker = new Worker(url, { workerData: data, resourceLimits });
    const thread: Thread<Job, Answer> = { worker, codec: openCodec(), current: [], bytes: 0, timer: undefined };
    this.#threads.add(thread);
    worker.on("message", (message: unknown) => this.#finish(thread, thread.codec.unpack(message)));
    worker.on("error", (cause: Error) => this.#removeThread(thread, failureReason(cause)));
    worker.on("exit", () => this.#removeThread(thread, "the reader stopped"));
    worker.unref();
    return thread;
  }

  #finish(thread: Thread<Job, Answer>, answers: readonly AnswerOrError<Answer>[]): void {
    const { current, bytes } = thread;
    this.#release(thread);
    if (bytes > LARGE_BYTES) this.#terminate(thread);
    else this.#assign(thread);
    for (const [index, { settle }] of current.entries()) settle(answers[index]!);
    this.#assignSoon();
  }

  #release(thread: Thread<Job, Answer>): void {
    clearTimeout(thread.timer);
    this.#bytesInProgress -= thread.bytes;
    thread.bytes = 0;
    thread.current = [];
  }

  #removeThread(thread: Thread<Job, Answer>, why: string): void {
    if (!this.#threads.delete(thread)) return;
    const place = this.#idle.indexOf(thread);
    if (place >= 0) this.#idle.splice(place, 1);
    const { current } = thread;
    this.#release(thread);
    if (current.length === 1 || this.#isClosed) for (const { settle } of current) settle({ error: why });
    else for (const each of current) this.#waiting.unshift(Object.assign(each, { isSuspect: true }));
    this.#assignSoon();
  }

  #terminate(thread: Thread<Job, Answer>, why = ""): void {
    this.#removeThread(thread, why);
    void thread.worker.terminate();
  }

  /** Removes a job whose caller has gone. */
  #cancel(waiting: QueuedJob<Job, Answer>): void {
    const place = this.#waiting.indexOf(waiting);
    if (place >= 0) this.#waiting.splice(place, 1);
    const thread = [...this.#threads].find(({ current }) => current.length === 1 && current[0] === waiting);
    if (thread) this.#terminate(thread);
  }

  /** As many jobs as fit into a batch. A suspect, or a body that had to be copied for a second reading, goes alone. */
  #nextBatch(): { readonly batch: QueuedJob<Job, Answer>[]; readonly bytes: number } {
    const { sizeOf, maxJobs } = this.#program;
    const batch: QueuedJob<Job, Answer>[] = [];
    let bytes = 0;
    while (this.#waiting.length > 0 && batch.length < maxJobs && bytes < MAX_BATCH_BYTES) {
      const next = this.#waiting[0]!;
      const size = sizeOf(next.job);
      if (batch.length > 0 && (next.isSuspect || bytes + size > LARGE_BYTES)) break;
      if (this.#bytesInProgress + bytes > 0 && this.#bytesInProgress + bytes + size > MAX_BYTES_IN_PROGRESS) break;
      this.#waiting.shift();
      batch.push(next);
      bytes += size;
      if (next.isSuspect) break;
    }
    return { batch, bytes };
  }

  #assign(thread: Thread<Job, Answer>): void {
    const { batch, bytes } = this.#nextBatch();
    if (batch.length === 0) {
      this.#rest(thread);
      return;
    }
    const { patience: timeout = DEFAULT_TIMEOUT_MS } = this.#limits;
    clearTimeout(thread.timer);
    thread.current = batch;
    thread.bytes = bytes;
    this.#bytesInProgress += bytes;
    thread.worker.ref();
    thread.timer = setTimeout(() => this.#terminate(thread, `reading took longer than ${timeout / 1000} s`), timeout);
    const { message, transfer } = thread.codec.pack(batch.map(({ job }) => job));
    thread.worker.postMessage(message, transfer);
  }

  #rest(thread: Thread<Job, Answer>): void {
    const { rest } = this.#limits;
    thread.worker.unref();
    this.#idle.push(thread);
    if (rest !== undefined) thread.timer = setTimeout(() => this.#terminate(thread), rest).unref();
  }

  /** Jobs of the same tick go into one batch. */
  #assignSoon(): void {
    if (this.#isScheduled || this.#isClosed || this.#waiting.length === 0) return;
    if (this.#idle.length === 0 && this.#threads.size >= this.#size) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#waiting.length > 0 && this.#mayAssign()) {
        const thread = this.#idle.pop() ?? (this.#threads.size < this.#size ? this.#start() : undefined);
        if (!thread) return;
        this.#assign(thread);
      }
    });
  }

  /** Whether the next document fits into memory beside those being read. */
  #mayAssign(): boolean {
    const [next] = this.#waiting;
    return (
      next !== undefined && (this.#bytesInProgress === 0 || this.#bytesInProgress + this.#program.sizeOf(next.job) <= MAX_BYTES_IN_PROGRESS)
    );
  }
}
