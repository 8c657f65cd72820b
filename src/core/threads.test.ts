import { expect, test } from "vitest";
import { type ThreadLimits, ThreadPool } from "./threads.ts";

/** A worker thread that doubles each number it gets, and follows commands such as crashing. */
const url = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from "node:worker_threads";
    const [now, most, wait] = [0, 1, 2];
    const does = {
      hang: () => { for (;;); },
      swell: () => { for (const heap = []; ; ) heap.push(new Array(10_000).fill(heap.length)); },
      exit: () => process.exit(3),
      meet: () => {
        const others = Atomics.add(workerData, now, 1);
        if (others + 1 > Atomics.load(workerData, most)) Atomics.store(workerData, most, others + 1);
        Atomics.wait(workerData, wait, 0, 50);
        Atomics.sub(workerData, now, 1);
      },
    };
    parentPort.on("message", (jobs) => parentPort.postMessage(jobs.map((job) => does[job]?.() ?? { answer: 2 * Number(job) })));
  `)}`,
);

function poolOf(
  limits: ThreadLimits,
  mostJobs = 1,
  sizeOf = (_: number | string) => 1,
  data?: unknown,
): ThreadPool<number | string, number> {
  const openWire = () => ({
    pack: (jobs: unknown) => ({ message: jobs, transfer: [] }),
    unpack: (message: unknown) => message as { answer: number }[],
  });
  return new ThreadPool({ url, data, sizeOf, openCodec: openWire, maxJobs: mostJobs }, limits);
}

test.each([
  ["takes too long", "hang", "reading took longer than 2 s"],
  ["takes too much memory", "swell", "reading took more memory than a reader may have"],
  ["ends its thread", "exit", "the reader stopped"],
])("a document that %s is named, and the others are read", async (_, what, error) => {
  const pool = poolOf({ threads: 1, patience: what === "hang" ? 2000 : 30_000, memory: 32 }, 4);
  const jobs = [1, 2, what, 3];
  expect(await Promise.all(jobs.map((job) => pool.ask(job)))).toEqual([{ answer: 2 }, { answer: 4 }, { error }, { answer: 6 }]);
  await pool.close();
});

test("whoever leaves ends the work that was done for nobody else, and the next is served", async () => {
  const pool = poolOf({ threads: 1 });
  const leaving = new AbortController();
  const left = pool.ask("hang", leaving.signal);
  const next = pool.ask(4);
  setTimeout(() => leaving.abort(new Error("left")), 200);
  await expect(left).rejects.toThrow("left");
  expect(await next).toEqual({ answer: 8 });
  await expect(pool.ask(1, leaving.signal)).rejects.toThrow("left");
  await pool.close();
});

test("large documents are read one after the other, however many threads there are", async () => {
  const counts = new Int32Array(new SharedArrayBuffer(12));
  const pool = poolOf({ threads: 3 }, 1, () => 7 * 1024 * 1024, counts);
  await Promise.all(Array.from({ length: 9 }, () => pool.ask("meet")));
  expect(counts[1], "at the same time").toBe(1);
  await pool.close();
});

test("a pool that is closed answers whoever asks", async () => {
  const pool = poolOf({ threads: 1 });
  const [at, waits] = [pool.ask("hang"), pool.ask(1)];
  await new Promise(setImmediate);
  await pool.close();
  expect([await at, await waits, await pool.ask(2)]).toEqual([
    { error: "the reader stopped" },
    ...Array(2).fill({ error: "the reader was closed" }),
  ]);
});
