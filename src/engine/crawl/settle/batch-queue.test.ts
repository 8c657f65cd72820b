import { expect, test } from "vitest";
import { BatchQueue } from "./batch-queue.ts";

function aDesk(out: (() => number) | undefined, mustWait: (entry: string) => boolean = () => false) {
  const batches: string[][] = [];
  const settle = async (batch: readonly string[]) => {
    batches.push([...batch]);
    if (batch.includes("bad")) throw new Error("not on disk");
  };
  return { batches, desk: new BatchQueue<string>({ settle, mustDefer: mustWait, inFlight: out }) };
}

test("where nobody shares the database, what is there goes at once, and what comes in one breath together", async () => {
  const { batches, desk } = aDesk(undefined);
  await Promise.all([desk.add("a"), desk.add("b")]);
  await desk.add("c");
  expect(batches).toEqual([["a", "b"], ["c"]]);
  expect(desk.isBusy).toBe(false);
});

test("where others share it, a batch waits for those who are out, and not for ever", async () => {
  const { batches, desk } = aDesk(() => 3);
  const first = desk.add("a");
  await new Promise((turn) => setImmediate(() => setImmediate(turn)));
  expect(batches).toEqual([]);
  await Promise.all([first, desk.add("b"), desk.add("c")]);
  expect(batches).toEqual([["a", "b", "c"]]);
  await desk.add("d");
  expect(batches).toEqual([["a", "b", "c"], ["d"]]);
});

test("what is urgent waits for nobody, and takes along who is there", async () => {
  const { batches, desk } = aDesk(() => 100);
  await Promise.all([desk.add("a"), desk.add("b", true)]);
  expect(batches).toEqual([["a", "b"]]);
});

test("what has to wait goes with the next batch, and a batch that fails takes nobody else along", async () => {
  const seen = new Set<string>();
  const { batches, desk } = aDesk(undefined, (entry) => entry.startsWith("twin") && !seen.has(entry) && Boolean(seen.add(entry)));
  const [bad, twin] = await Promise.allSettled([desk.add("bad"), desk.add("twin")]);
  expect([bad.status, twin.status]).toEqual(["rejected", "fulfilled"]);
  expect(batches).toEqual([["bad"], ["twin"]]);
});
