import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { EngineEvent } from "../engine/engine.ts";
import { MAX_CLIENTS, MAX_PER_KEY } from "../engine/stream-slots.ts";
import { rangeOf } from "../range.ts";
import { Samples } from "../shapes/samples.ts";
import { readPosition, readPositions, writePositions } from "./event-position.ts";
import { Events } from "./events.ts";

const settled = (runId: number, seq: number): EngineEvent => ({
  runId,
  seq,
  type: "url.settled",
  isLast: false,
  data: `"${runId}:${seq}"`,
});
const ended = (runId: number): EngineEvent => ({ runId, seq: undefined, type: "crawl.finished", isLast: true, data: `"${runId} is over"` });

/** A response that is not read until `read` is called. */
function aResponse() {
  const stream = new PassThrough({ highWaterMark: 1024 });
  let [status, text] = [0, ""];
  const response = Object.assign(stream, {
    writeHead: (code: number) => {
      status = code;
      return stream;
    },
  });
  return {
    response: response as unknown as ServerResponse,
    stream,
    read: () => stream.on("data", (part: Buffer) => (text += part)),
    status: () => status,
    ids: () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id),
    data: () => [...text.matchAll(/^data: "(.*)"$/gm)].map(([, data]) => data),
  };
}

/** A data file with the given number of settled outcomes per run; `onRead` may settle more while it is read. */
function aPast(runs: Map<number, number>, onRead: (runId: number, seq: number) => void = () => undefined) {
  return new Events({
    subscribe: async () => undefined,
    async *readMissed(runId, after) {
      for (let seq = after + 1; seq <= (runs.get(runId) ?? 0); seq++) {
        yield settled(runId, seq);
        onRead(runId, seq);
      }
    },
    runState: async (runId) => (runs.has(runId) ? { isAtWork: true, end: undefined, seq: runs.get(runId)! } : undefined),
    laterRuns: async (runId) => [...runs.keys()].filter((id) => id > runId),
  });
}

const one = { clientId: "", runId: 1, types: undefined } as const;
const all = { clientId: "", runId: undefined, types: undefined } as const;
const breathe = () => new Promise((resolve) => setImmediate(resolve));

describe("events", () => {
  test("go on where somebody left off, with nothing left out and nothing twice, though more is settled meanwhile", async () => {
    const runs = new Map([[1, 5]]);
    const events: Events = aPast(runs, (_, seq) => {
      if (seq !== 4) return;
      // Settled while the history is read: some of it is found there, too.
      for (const more of [6, 7]) {
        runs.set(1, more);
        events.publish([settled(1, more)]);
      }
    });
    const client = aResponse();
    client.read();
    await events.serve(client.response, {}, { ...one, lastId: "2" });
    events.publish([settled(1, 8), settled(2, 1)]);
    await breathe();
    expect(client.ids()).toEqual(["3", "4", "5", "6", "7", "8"]);
  });

  test("of all runs name a place in each, and a run that began meanwhile is told from its beginning", async () => {
    const events = aPast(
      new Map([
        [1, 3],
        [2, 2],
        [3, 1],
      ]),
    );
    const client = aResponse();
    client.read();
    await events.serve(client.response, {}, { ...all, lastId: "1-2_2-2" });
    await breathe();
    expect(client.data()).toEqual(["1:3", "3:1"]);
    expect(client.ids().at(-1)).toBe("1-3_2-2_3-1");
  });

  test("end with the run, whose end has a place of its own", async () => {
    const events = aPast(new Map([[1, 0]]));
    const client = aResponse();
    client.read();
    await events.serve(client.response, {}, { ...one, lastId: undefined });
    events.publish([settled(1, 1), ended(1)]);
    await breathe();
    expect(client.ids()).toEqual(["1", "1.end"]);
    expect(client.stream.writableEnded).toBe(true);
  });

  test("cut off whoever does not read, and nobody else", async () => {
    const events = aPast(new Map([[1, 0]]));
    const [slow, quick] = [aResponse(), aResponse()];
    quick.read();
    for (const client of [slow, quick]) await events.serve(client.response, {}, { ...one, lastId: undefined });
    const page = { ...settled(1, 1), data: JSON.stringify("x".repeat(100_000)) };
    for (let seq = 1; seq <= 30; seq++) {
      events.publish([{ ...page, seq }]);
      await breathe();
    }
    expect(slow.stream.destroyed).toBe(true);
    expect(slow.stream.writableLength).toBeLessThan(2_000_000);
    expect(quick.ids()).toHaveLength(30);
    expect(events.listeners).toBe(1);
  });

  test("that nobody asked for are not written", async () => {
    const events = aPast(new Map([[1, 0]]));
    const client = aResponse();
    client.read();
    await events.serve(client.response, {}, { clientId: "", runId: 1, types: ["crawl.finished"], lastId: undefined });
    events.publish([settled(1, 1), ended(1)]);
    await breathe();
    expect(client.data()).toEqual(["1 is over"]);
  });
});

describe("many who listen", () => {
  afterEach(() => void vi.useRealTimers());

  test("one who reads slowly leaves nothing behind for each of its waits", async () => {
    const events = aPast(new Map([[1, 500]]));
    const client = aResponse();
    const served = events.serve(client.response, {}, { ...one, lastId: "0" });
    let most = 0;
    for (let wait = 0; client.stream.listenerCount("drain") > 0 || wait < 20; wait++) {
      most = Math.max(most, client.stream.listenerCount("close"));
      client.stream.read();
      await breathe();
    }
    await served;
    expect(most).toBeLessThan(6);
  });

  test("few at once are told what they have missed, whoever does not read it is cut off, and the next take their places", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const read = new Set<number>();
    const events = aPast(new Map(Array.from({ length: 30 }, (_, run) => [run, 500])), (runId) => void read.add(runId));
    const deaf = Array.from({ length: 29 }, (_, run) => ({ ...aResponse(), run }));
    const served = deaf.map(({ response, run }) => events.serve(response, {}, { ...one, runId: run, lastId: "0" }));
    const quick = aResponse();
    quick.read();
    served.push(events.serve(quick.response, {}, { ...one, runId: 29, lastId: "0" }));
    await vi.advanceTimersByTimeAsync(9000);
    expect(read.size).toBe(8);
    expect(quick.ids()).toEqual([]);
    for (let turn = 0; turn < 4; turn++) {
      await vi.advanceTimersByTimeAsync(10_000);
      await breathe();
    }
    await Promise.all(served);
    expect(deaf.every(({ stream }) => stream.destroyed)).toBe(true);
    expect(quick.ids()).toHaveLength(500);
    expect(events.listeners).toBe(1);
  });

  test("no key has all the places, and whoever leaves gives his back", async () => {
    const events = aPast(new Map([[1, 0]]));
    const listen = async (asker: string) => {
      const client = aResponse();
      await events.serve(client.response, {}, { ...one, clientId: asker, lastId: undefined });
      return client;
    };
    const [first] = await Promise.all(Array.from({ length: MAX_PER_KEY }, () => listen("a")));
    await expect(listen("a")).rejects.toMatchObject({
      problem: "rate-limited",
      more: { suggestion: expect.stringContaining("/api/v1/events") },
    });
    await listen("b");
    first!.stream.destroy();
    await breathe();
    await listen("a");
    await Promise.all(Array.from({ length: MAX_CLIENTS - MAX_PER_KEY - 1 }, () => listen("")));
    await expect(listen("c")).rejects.toMatchObject({ problem: "busy", status: 503 });
    expect(events.listeners).toBe(MAX_CLIENTS);
  });
});

test.each([
  ["a place", "17", { seq: 17, isEnd: false }],
  ["the end", "17.end", { seq: 17, isEnd: true }],
  ["what somebody made up", "17; drop", undefined],
  ["nothing", undefined, undefined],
])("%s in a run is read as it was written", (_, text, expected) => {
  expect(readPosition(text)).toEqual(expected);
});

test("places in many runs are read as they were written", () => {
  const places = new Map([
    [3, 4],
    [12, 0],
  ]);
  expect(readPositions(writePositions(places))).toEqual(places);
  expect(readPositions("3-4_x")).toBeUndefined();
});

test.each([
  ["all of it, unless a part is asked for", undefined, undefined],
  ["the beginning", "bytes=0-9", { first: 0, last: 9 }],
  ["from a place on", "bytes=90-", { first: 90, last: 99 }],
  ["the end", "bytes=-10", { first: 90, last: 99 }],
  ["more than there is", "bytes=95-200", { first: 95, last: 99 }],
  ["what lies behind the end", "bytes=100-", "none"],
  ["the wrong way round, which is none at all", "bytes=9-0", undefined],
  ["several parts, which are not given", "bytes=0-1,3-4", undefined],
])("of a file of 100 bytes: %s", (_, header, expected) => {
  expect(rangeOf(header, 100)).toEqual(expected);
});

test("of a long run fewer looks are kept, evenly spread and counted from the beginning", () => {
  const samples = new Samples();
  const counters = { pages: 0, bytes: 0, status: {}, failed: 0 };
  for (let second = 0; second < 5000; second++) {
    samples.addDuration(second % 100);
    samples.addSample({ counters: { ...counters, pages: second * 2 }, queued: 1, inFlight: 1, hosts: [] } as never, second * 1000);
  }
  expect(samples.stored.length).toBeLessThanOrEqual(720);
  const apart = samples.stored.slice(1).map(({ at }, index) => at - samples.stored[index]!.at);
  expect(Math.max(...apart)).toBe(Math.min(...apart));
  expect(samples.stored.at(-1)!.at).toBeGreaterThan(4_980_000);
  expect(samples.perMinute).toBe(120);
});
