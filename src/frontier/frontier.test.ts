import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aCandidate, aWorld, type Came, manyCandidates } from "../../test/fake-backlog.ts";
import type { Fetched } from "../records.ts";
import type { GateVerdict } from "./frontier.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs a crawl on fake time. */
async function finish(world: ReturnType<typeof aWorld>, span = 3_600_000): Promise<void> {
  let isDone = false;
  const done = world.crawl().finally(() => {
    isDone = true;
  });
  // A failure is met again below, when the crawl is awaited.
  done.catch(() => undefined);
  const end = performance.now() + span;
  for (let idle = 0; !isDone && performance.now() < end && idle < 5; ) {
    // Everything that needs no time happens first.
    await new Promise((resolve) => setImmediate(resolve));
    idle = vi.getTimerCount() === 0 ? idle + 1 : 0;
    if (!isDone && idle === 0) await vi.advanceTimersToNextTimerAsync();
  }
  expect(isDone).toBe(true);
  await done;
}

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

  test("is put off by the Crawl-delay the gate tells of", async () => {
    const world = aWorld({ options: { rateLimit: 1000 }, gate: () => ({ kind: "go", crawlDelay: 3000 }) });
    world.hear(manyCandidates(3, (index) => `http://a.test/${index}`));
    await finish(world);
    for (const gap of gaps(world.times("a.test"))) expect(gap).toBeGreaterThanOrEqual(3000);
    expect(world.backlog.claims.every(({ delay, cause }) => delay === 3000 && cause === "crawl-delay")).toBe(true);
  });

  test.each([
    ["one at a time", 1],
    ["two at a time, without a delay", 2],
  ])("is put off by Retry-After: %s", async (_, perHost) => {
    const answer = (url: string): Came =>
      url.endsWith("/0") ? { answer: { kind: "asked-to-wait", retryAfter: 30_000 }, duration: 10 } : { duration: 50 };
    const world = aWorld({ workers: 2, options: { perHost }, answer });
    world.hear(manyCandidates(8, (index) => `http://a.test/${index}`));
    await finish(world);
    expect(world.urls()).toHaveLength(8);
    expect(world.times("a.test").filter((at) => at > 10 && at < 30_010)).toEqual([]);
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
    frontier.unhold("a.test", { wait: 5000 });
    frontier.free(second.turn);
    await vi.advanceTimersByTimeAsync(4999);
    expect(backlog.claims).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toMatchObject({ kind: "errand", turn: { host: "a.test" } });
  });

  test("whose Crawl-delay becomes known put off the next turn by it", async () => {
    const { frontier, hear } = aWorld({ options: { rateLimit: 1000 }, ...needsRobots() });
    hear([aCandidate("http://a.test/1")]);
    const job = await frontier.next();
    if (job?.kind !== "errand") throw new Error("an errand was expected");
    frontier.learn(job.turn, { kind: "answered", duration: 0 }, 0);
    frontier.unhold("a.test", { crawlDelay: 9000 });
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
    frontier.unhold("a.test", {});
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

describe("asking again", () => {
  const isBad = (url: string) => url.endsWith("/bad");
  const failing: Came = { answer: { kind: "failed" }, retryAfter: 0, duration: 5 };

  test.each<[string, Came]>([
    ["whose host is to blame, it seems", failing],
    ["that is to blame itself", { retryAfter: 1000, duration: 5 }],
  ])("a failing URL on a healthy host costs three requests: one %s", async (_, came) => {
    const world = aWorld({ options: { rateLimit: 100 }, answer: (url) => (isBad(url) ? came : { duration: 5 }) });
    world.hear([aCandidate("http://a.test/bad", { priority: 1 }), ...manyCandidates(100, (index) => `http://a.test/${index}`)]);
    await finish(world);
    expect(world.urls().filter(isBad)).toHaveLength(3);
    expect([world.gaveUp, world.urls().length, world.frontier.ended]).toEqual([["http://a.test/bad"], 103, "drained"]);
  });

  test.each<[string, Came, number]>([
    ["whose host answers nothing else, though a probe of the host is answered", failing, 4],
    ["that is to blame itself", { retryAfter: 1000 }, 3],
    ["told to come later", { answer: { kind: "asked-to-wait", retryAfter: 2000 }, retryAfter: 0 }, 3],
  ])("the only URL of a host is given up: one %s", async (_, came, requests) => {
    const world = aWorld({ options: { rateLimit: 1000 }, answer: (url) => (isBad(url) ? came : {}) });
    world.hear([aCandidate("http://a.test/bad")]);
    await finish(world);
    expect([world.urls().filter(isBad).length, world.gaveUp.length, world.frontier.ended]).toEqual([requests, 1, "drained"]);
  });

  test("without retries one failure of its own is enough", async () => {
    const world = aWorld({ options: { retries: 0 }, answer: () => ({ retryAfter: 0 }) });
    world.hear(manyCandidates(2, (index) => `http://a.test/${index}`));
    await finish(world);
    expect([world.urls().length, world.gaveUp.length]).toEqual([2, 2]);
  });

  test("a host that fails everything backs off, and its URLs spend no attempts until it answers", async () => {
    const answer = (_: string, at: number) => (at < 60_000 ? failing : { duration: 5 });
    const world = aWorld({ workers: 4, options: { rateLimit: 1000 }, answer });
    world.hear(manyCandidates(20, (index) => `http://a.test/${index}`));
    await finish(world);
    expect([world.gaveUp, world.frontier.ended, world.backlog.rows.size]).toEqual([[], "drained", 0]);
    const outage = world.times("a.test").filter((at) => at < 60_000);
    expect(outage.length).toBeLessThan(9);
    for (const [index, gap] of gaps(outage).entries()) expect(gap).toBeGreaterThanOrEqual(1000 * 2 ** index);
  });

  test.each([
    ["many URLs", 50],
    ["one URL", 1],
  ])("a host that never answers defers the run, and nothing of it is given up: %s", async (_, count) => {
    const world = aWorld({ workers: 2, options: { rateLimit: 1000 }, answer: () => failing });
    world.hear(manyCandidates(count, (index) => `http://a.test/${index}`));
    await finish(world);
    expect([world.frontier.ended, world.gaveUp, world.backlog.rows.size]).toEqual(["deferred", [], count]);
  });

  test("a URL that waits for its own moment does not hold up those that wait on disk", async () => {
    const answer = (url: string): Came => (isBad(url) ? { retryAfter: 100_000 } : {});
    const world = aWorld({ options: { retries: 1 }, answer });
    world.hear([aCandidate("http://a.test/bad", { priority: 1 }), ...manyCandidates(300, (index) => `http://a.test/${index}`)]);
    await finish(world);
    const others = world.log.filter(({ url }) => !isBad(url));
    expect(others).toHaveLength(300);
    expect(others.at(-1)!.at).toBeLessThan(1000);
  });

  test("one that is put back keeps its pause, though its row is on disk too", async () => {
    const answer = (url: string): Came => (isBad(url) ? { retryAfter: 5000 } : {});
    const world = aWorld({ workers: 2, options: { retries: 3 }, answer });
    world.backlog.put([aCandidate("http://a.test/bad", { priority: 1 }), ...manyCandidates(200, (index) => `http://a.test/${index}`)]);
    await world.frontier.open();
    await finish(world);
    const bad = world.log.filter(({ url }) => isBad(url)).map(({ at }) => at);
    expect(bad).toHaveLength(4);
    for (const gap of gaps(bad)) expect(gap).toBeGreaterThanOrEqual(5000);
  });
});

describe("a run ends", () => {
  test("drained, when nothing is left and nothing is out; and goes on if more is heard", async () => {
    const world = aWorld({
      workers: 3,
      answer: (url) => (url.endsWith("/1") ? { duration: 500, heard: [aCandidate("http://a.test/2")] } : {}),
    });
    world.hear([aCandidate("http://a.test/1")]);
    await finish(world);
    expect([world.urls(), world.frontier.ended]).toEqual([["http://a.test/1", "http://a.test/2"], "drained"]);
    world.hear([aCandidate("http://a.test/3")]);
    expect(world.frontier.ended).toBeUndefined();
    await finish(world);
    expect(world.urls()).toHaveLength(3);
  });

  test("drained at once, when there is nothing", async () => {
    const world = aWorld();
    await world.frontier.open();
    await finish(world);
    expect([world.frontier.ended, world.frontier.queued, world.frontier.inFlight]).toEqual(["drained", 0, 0]);
  });

  test.each([
    ["longer than we wait: deferred", 301_000, "deferred", 1],
    ["no longer than we wait: it is waited for", 299_000, "drained", 2],
  ])("a host must be left alone %s", async (_, retryAfter, ended, requests) => {
    const answer = (url: string): Came => (url.endsWith("/1") ? { answer: { kind: "asked-to-wait", retryAfter } } : {});
    const world = aWorld({ answer });
    world.hear([aCandidate("http://a.test/1", { priority: 1 }), aCandidate("http://a.test/2")]);
    await finish(world);
    expect([world.frontier.ended, world.urls().length]).toEqual([ended, requests]);
  });

  test("not deferred while another host has work", async () => {
    const answer = (url: string): Came =>
      url.startsWith("http://a.") ? { answer: { kind: "asked-to-wait", retryAfter: 400_000 } } : { duration: 1 };
    const world = aWorld({ options: { rateLimit: 1000 }, answer });
    world.hear([...manyCandidates(2, (index) => `http://a.test/${index}`), ...manyCandidates(200, (index) => `http://b.test/${index}`)]);
    await finish(world);
    expect([world.frontier.ended, world.times("b.test").length, world.times("a.test").length]).toEqual(["drained", 200, 2]);
  });

  test("stopped: waiting workers are sent home, what is out may settle, nothing more is let out", async () => {
    const world = aWorld({ workers: 3, answer: () => ({ duration: 100 }) });
    world.hear(manyCandidates(9, (index) => `http://a.test/${index}`));
    const done = world.crawl();
    await vi.advanceTimersByTimeAsync(50);
    world.frontier.stop();
    await vi.advanceTimersByTimeAsync(1000);
    await done;
    expect([world.urls().length, world.frontier.ended, world.frontier.inFlight]).toEqual([1, "stopped", 0]);
    world.hear([aCandidate("http://b.test/")]);
    expect([await world.frontier.next(), world.frontier.ended]).toEqual([undefined, "stopped"]);
  });

  test("stopped while a turn is being claimed: no error, and nothing is let out", async () => {
    const world = aWorld();
    world.backlog.claim = async (turns) => {
      world.frontier.stop();
      return turns.map(() => ({ granted: true }));
    };
    world.hear([aCandidate("http://a.test/1")]);
    expect(await world.frontier.next()).toBeUndefined();
    expect(await world.frontier.next()).toBeUndefined();
    expect(world.frontier.inFlight).toBe(0);
  });

  test("with the backlog's error, told to every worker", async () => {
    const world = aWorld({ workers: 3 });
    world.backlog.claim = async () => {
      throw new Error("disk full");
    };
    world.hear([aCandidate("http://a.test/1")]);
    await expect(world.crawl()).rejects.toThrow("disk full");
    await expect(world.frontier.next()).rejects.toThrow("disk full");
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
