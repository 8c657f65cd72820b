import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aCandidate, aWorld, type Came, finish, manyCandidates } from "../../../test/fake-backlog.ts";
import type { Fetched } from "../../core/records.ts";
import type { GateVerdict } from "./job.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const refused: Fetched = {
  ...{ kind: "refused", by: "robots", reason: "robots.disallow", rule: "Disallow: /", status: undefined, retryAfter: undefined },
  timing: { startedAt: 0, duration: 0 },
};
const go: GateVerdict = { kind: "go", crawlDelay: undefined };
const gaps = (times: readonly number[]) => times.slice(1).map((at, index) => at - times[index]!);

describe("a host's turn", () => {
  test("never comes before the host is due, however many workers wait", async () => {
    const world = aWorld({ workers: 8, options: { rateLimit: 1000 }, answer: () => ({ duration: 30 }) });
    world.hear(manyCandidates(6, (index) => `http://a.test/${index}`));
    await finish(world);
    expect(world.times("a.test")).toHaveLength(6);
    for (const gap of gaps(world.times("a.test"))) expect(gap).toBeGreaterThanOrEqual(1000);
    expect(world.times("a.test").at(-1)).toBeLessThan(5 * 1100);
  });

  test("comes a delay after the answer, also where that took longer than the delay: nobody knows when the request arrived", async () => {
    const world = aWorld({ workers: 8, options: { rateLimit: 1000, autoSlow: "off" }, answer: () => ({ duration: 2500 }) });
    world.hear(manyCandidates(3, (index) => `http://a.test/${index}`));
    await finish(world);
    for (const gap of gaps(world.times("a.test"))) expect(gap).toBeGreaterThanOrEqual(3500);
  });

  test("is one at a time, even without a delay", async () => {
    const world = aWorld({ workers: 4, answer: () => ({ duration: 100 }) });
    world.hear(manyCandidates(3, (index) => `http://a.test/${index}`));
    await finish(world);
    expect(world.times("a.test")).toEqual([0, 100, 200]);
  });

  test.each([
    ["without a delay they go together", 0, [0, 0, 100, 100]],
    ["with one they still keep their distance", 60, [0, 60, 120, 180]],
  ])("may be two at a time if asked: %s", async (_, rateLimit, times) => {
    const world = aWorld({ workers: 4, options: { perHost: 2, rateLimit }, answer: () => ({ duration: 100 }) });
    world.hear(manyCandidates(4, (index) => `http://a.test/${index}`));
    await finish(world);
    const asked = world.times("a.test");
    for (const [index, at] of times.entries()) expect(Math.abs(asked[index]! - at)).toBeLessThanOrEqual(rateLimit / 20 + 3);
  });

  test("does not keep other hosts waiting", async () => {
    const world = aWorld({ workers: 3, options: { rateLimit: 1000 }, answer: () => ({ duration: 10 }) });
    for (const host of ["a", "b", "c"]) world.hear(manyCandidates(2, (index) => `http://${host}.test/${index}`));
    await finish(world);
    for (const host of ["a.test", "b.test", "c.test"]) expect(world.times(host)[0]).toBe(0);
    expect(performance.now()).toBeLessThan(1200);
  });

  test("is shared by those that come within a hundredth of the pace, where thousands of hosts wait: never early, and hardly late", async () => {
    const took = (url: string) => 1 + (Number(/h(\d+)/.exec(url)![1]) % 199);
    const world = aWorld({ workers: 2000, options: { rateLimit: 1000 }, answer: (url) => ({ duration: took(url) }) });
    for (let page = 0; page < 3; page++) world.hear(manyCandidates(2000, (index) => `http://h${index}.test/${page}`));
    await finish(world);
    const first = new Map<string, number>();
    const second = new Map<string, number>();
    for (const { host, at } of world.log) (first.has(host) ? (second.has(host) ? new Map() : second) : first).set(host, at);
    const late = [...second].map(([host, at]) => at - first.get(host)! - took(host) - 1000);
    expect([late.length, Math.min(...late) >= 0, Math.max(...late) <= 11]).toEqual([2000, true, true]);
    expect(new Set(second.values()).size).toBeLessThan(40);
  });

  test("is put off by the Crawl-delay the gate tells of", async () => {
    const world = aWorld({ options: { rateLimit: 1000 }, gate: () => ({ kind: "go", crawlDelay: 3000 }) });
    world.hear(manyCandidates(3, (index) => `http://a.test/${index}`));
    await finish(world);
    for (const gap of gaps(world.times("a.test"))) expect(gap).toBeGreaterThanOrEqual(3000);
    expect(world.backlog.claims.every(({ delay, cause }) => delay === 3000 && cause === "crawl-delay")).toBe(true);
  });

  test.each([
    ["one at a time", 1],
    ["several at a time, without a delay", 4],
  ])("is put off by Retry-After: %s", async (_, perHost) => {
    const answer = (url: string): Came =>
      url.endsWith("/0") ? { answer: { kind: "asked-to-wait", retryAfter: 30_000 }, duration: 10 } : { duration: 50 };
    const world = aWorld({ workers: 3, options: { perHost }, answer });
    world.hear(manyCandidates(8, (index) => `http://a.test/${index}`));
    await finish(world);
    expect(world.urls()).toHaveLength(8);
    expect(world.times("a.test").filter((at) => at >= 10 && at < 30_010)).toEqual([]);
  });
});

describe("errands", () => {
  const needsRobots = () => {
    let isKnown = false;
    const gate = (): GateVerdict => {
      if (isKnown) return go;
      return { kind: "errand", errand: { url: "http://a.test/robots.txt", origin: "http://a.test", hops: 0 } };
    };
    const answer = (url: string): Came => {
      if (url.endsWith("robots.txt")) isKnown = true;
      return { duration: 200 };
    };
    return { gate, answer };
  };

  test("go first, alone, and take the host's turn", async () => {
    const world = aWorld({ workers: 4, options: { rateLimit: 1000, perHost: 2 }, ...needsRobots() });
    world.hear(manyCandidates(2, (index) => `http://a.test/${index}`));
    await finish(world);
    expect(world.log.map(({ kind }) => kind)).toEqual(["errand", "visit", "visit"]);
    for (const gap of gaps(world.times("a.test"))) expect(gap).toBeGreaterThanOrEqual(1000);
    expect(world.backlog.claims[0]).toMatchObject({ host: "a.test", visit: 0 });
  });

  test("hold their host until its rules are known; the run does not end meanwhile", async () => {
    const world = aWorld({ workers: 2, ...needsRobots() });
    world.hear(manyCandidates(3, (index) => `http://a.test/${index}`));
    await finish(world);
    expect(world.times("a.test")).toEqual([0, 200, 400, 600]);
    expect(world.frontier.ended).toBe("drained");
  });

  test("sent to another host take that host's turn and leave the first one held", async () => {
    const { frontier, hear, backlog } = aWorld({ workers: 2, gate: needsRobots().gate });
    hear([aCandidate("http://a.test/1")]);
    const job = await frontier.next();
    if (job?.kind !== "errand") throw new Error("an errand was expected");
    frontier.send("b.test", { ...job.errand, url: "http://b.test/robots.txt", hops: 1 });
    frontier.free(job.turn);
    const second = await frontier.next();
    expect(second).toMatchObject({ kind: "errand", turn: { host: "b.test" } });
    expect(backlog.claims.map(({ host }) => host)).toEqual(["a.test", "b.test"]);
    if (second?.kind !== "errand") throw new Error("an errand was expected");
    const waiting = frontier.next();
    await vi.advanceTimersByTimeAsync(5000);
    expect(backlog.claims).toHaveLength(2);
    frontier.unhold("a.test");
    frontier.free(second.turn);
    expect(await waiting).toMatchObject({ kind: "errand", turn: { host: "a.test" } });
  });

  test("whose Crawl-delay becomes known put off the next turn by it", async () => {
    const { frontier, hear } = aWorld({ options: { rateLimit: 1000 }, ...needsRobots() });
    hear([aCandidate("http://a.test/1")]);
    const job = await frontier.next();
    if (job?.kind !== "errand") throw new Error("an errand was expected");
    frontier.learn(job.turn, { kind: "answered", duration: 0 }, 0);
    frontier.unhold("a.test", 9000);
    frontier.free(job.turn);
    expect([...frontier.hosts()][0]).toMatchObject({ dueAt: 9000, cause: "crawl-delay" });
  });

  test("that were not needed give their turn back, and nobody waits for it", async () => {
    const { gate, answer } = needsRobots();
    const { frontier, hear, backlog } = aWorld({ options: { rateLimit: 1000 }, gate, answer });
    hear([aCandidate("http://a.test/1")]);
    const job = await frontier.next();
    if (job?.kind !== "errand") throw new Error("an errand was expected");
    answer(job.errand.url);
    frontier.unhold("a.test");
    await frontier.giveBack(job.turn);
    expect(await frontier.next()).toMatchObject({ kind: "visit" });
    expect([performance.now(), backlog.returned]).toEqual([0, ["a.test"]]);
  });
});

describe("candidates the gate refuses", () => {
  test("take no turn and claim nothing", async () => {
    const gate = ({ url }: { url: string }): GateVerdict => (url.includes("/private/") ? { kind: "refused", fetched: refused } : go);
    const world = aWorld({ workers: 2, options: { rateLimit: 1000 }, gate });
    world.hear(manyCandidates(500, (index) => `http://a.test/private/${index}`));
    world.hear(manyCandidates(2, (index) => `http://a.test/${index}`, { priority: -1 }));
    await finish(world);
    expect(world.log.filter(({ kind }) => kind === "refused")).toHaveLength(500);
    expect(new Set(world.urls()).size).toBe(502);
    expect(world.backlog.claims).toHaveLength(2);
    expect(performance.now()).toBeLessThan(1200);
  });

  test("come with a turn that is spent", async () => {
    const { frontier, hear } = aWorld({ gate: () => ({ kind: "refused", fetched: refused }) });
    hear([aCandidate("http://a.test/1")]);
    const job = await frontier.next();
    expect(job?.kind === "refused" && job.visit.turn.spent).toBe(true);
  });
});

describe("a turn that is denied", () => {
  test("is waited for and asked for again; the candidate is not lost", async () => {
    const world = aWorld({ workers: 2 });
    world.backlog.reply = ({ host }) => (host === "a.test" && performance.now() < 700 ? { granted: false, wait: 200 } : { granted: true });
    world.hear([aCandidate("http://a.test/1"), aCandidate("http://a.test/2"), aCandidate("http://b.test/1")]);
    await finish(world);
    expect(world.times("b.test")).toEqual([0]);
    expect(world.times("a.test")).toEqual([800, 800]);
    expect(world.backlog.claims.filter(({ host }) => host === "a.test")).toHaveLength(6);
  });

  test("for longer than we wait defers the run", async () => {
    const world = aWorld();
    world.backlog.reply = () => ({ granted: false, wait: 3_600_000 });
    world.hear([aCandidate("http://a.test/1")]);
    await finish(world);
    expect([world.frontier.ended, world.urls()]).toEqual(["deferred", []]);
  });
});
