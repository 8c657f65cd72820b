import { expect, test } from "vitest";
import type { Fetched } from "../../../core/records.ts";
import { openSqlite } from "../../../store/index.ts";
import { Gate } from "./gate.ts";

const timing = { startedAt: 0, duration: 0 };
const rules: Fetched = {
  kind: "failed",
  reason: "dns",
  detail: "there is no such host",
  status: undefined,
  mayHeal: false,
  hostFault: true,
  retryAfter: undefined,
  timing,
};
const later: Fetched = { ...rules, mayHeal: true };

test("of a hundred thousand origins the gate remembers those it met last", async () => {
  const store = openSqlite(":memory:");
  let answer: Fetched = rules;
  let told = 0;
  const gate = new Gate({
    store,
    fetcher: { fetch: async () => answer, close: async () => undefined },
    options: { respectRobots: true, robotsUnreachable: "block", maxCrawlDelay: 1000, retries: 3 } as never,
    agent: "nuthatch",
    traps: undefined,
    mazes: undefined,
    mirrors: undefined,
    same: undefined,
    sessions: undefined,
    clock: { now: () => 0, wall: () => 0 },
    onRules: async () => {
      told += 1;
    },
    onAnswer: async () => undefined,
  });
  const frontier = {
    learn: () => undefined,
    unhold: () => undefined,
    close: () => undefined,
    free: () => undefined,
    send: () => undefined,
  } as never;
  const ask = (host: number) =>
    gate.run({ url: `http://h${host}.test/robots.txt`, origin: `http://h${host}.test`, hops: 0 }, {} as never, frontier, {} as never);
  for (let host = 0; host < 50_000; host++) await ask(host);
  answer = later;
  for (let host = 50_000; host < 100_000; host++) await ask(host);
  expect(gate.sizes).toEqual({ known: 20_000, told: 0, tries: 20_000 });
  answer = { ...rules, kind: "gone", status: 404 } as never;
  for (let host = 50_000; host < 100_000; host++) await ask(host);
  expect(told).toBe(50_000);
  expect(gate.sizes).toEqual({ known: 20_000, told: 20_000, tries: 0 });
  await store.close();
});
