import { availableParallelism } from "node:os";
import { type AnswerOrError, ThreadPool, type ThreadProgram } from "../../core/threads.ts";
import type { App } from "../../engine/app.ts";
import type { PageTasks } from "./page-tasks.ts";

type TaskName = keyof PageTasks;

export interface PageJob {
  readonly task: TaskName;
  readonly given: object;
  /** Total bytes of its documents. */
  readonly size: number;
}

type Given<N extends TaskName> = Parameters<PageTasks[N]>[0];
type Answer<N extends TaskName> = Awaited<ReturnType<PageTasks[N]>>;

const program: ThreadProgram<PageJob, unknown> = {
  url: new URL("./page-worker.js", import.meta.url),
  sizeOf: ({ size }) => size,
  maxJobs: 1,
  openCodec: () => ({ pack: ([message]) => ({ message, transfer: [] }), unpack: (message) => [message as AnswerOrError<unknown>] }),
};

/** Milliseconds after which idle threads are terminated. */
const IDLE_MS = 10_000;

let threads: ThreadPool<PageJob, unknown> | undefined;

/** One pool per process. A page that blocks one thread does not delay the next page. */
function openThreads(): ThreadPool<PageJob, unknown> {
  threads ??= new ThreadPool(program, { threads: Math.max(2, availableParallelism() - 1), rest: IDLE_MS });
  return threads;
}

/** Starts a thread while the page is still being fetched. */
export function prepareReader({ world }: App): void {
  if (!world.readsHere) openThreads().prepare();
}

/**
 * Reads documents on a thread with limits. A document that takes too much time or memory gives an error, and delays no other caller.
 * Every command, route and library call that reads a page uses this, except crawls, which have their own readers.
 */
export async function readPage<N extends TaskName>(
  { world }: App,
  task: N,
  given: Given<N>,
  bodies: readonly (Uint8Array | undefined)[],
  signal?: AbortSignal,
): Promise<AnswerOrError<Answer<N>>> {
  const size = bodies.reduce((sum, body) => sum + (body?.length ?? 0), 0);
  const job: PageJob = { task, given, size };
  const answered = world.readsHere ? (await import("./page-tasks.ts")).answerTo(job) : openThreads().ask(job, signal);
  return (await answered) as AnswerOrError<Answer<N>>;
}
