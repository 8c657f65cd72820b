import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aCandidate, aWorld, type Came, finish, manyCandidates } from "../../../test/fake-backlog.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const failing: Came = { answer: { kind: "failed" }, retryAfter: 0, duration: 5 };
const gaps = (times: readonly number[]) => times.slice(1).map((at, index) => at - times[index]!);

describe("asking again", () => {
  const isBad = (url: string) => url.endsWith("/bad");
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
    ["whose host answers nothing else, though a probe of the host is answered", failing, 3],
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

  test("a host that begins to fail everything backs off, and its URLs spend no attempts until it answers", async () => {
    const isOutage = (at: number) => at > 500 && at < 60_000;
    const answer = (_: string, at: number) => (isOutage(at) ? failing : { duration: 5 });
    const world = aWorld({ workers: 4, options: { rateLimit: 1000 }, answer });
    world.hear(manyCandidates(20, (index) => `http://a.test/${index}`));
    await finish(world);
    expect([world.gaveUp, world.frontier.ended, world.backlog.rows.size]).toEqual([[], "drained", 0]);
    const outage = world.times("a.test").filter(isOutage);
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

  test.each([
    ["of which nothing comes back is asked as often as a URL, then the run ends", failing, 3],
    ["that can be reached, but fails, is waited for", { answer: { kind: "failed", blames: "url" }, retryAfter: 0 } satisfies Came, 9],
  ])("a host %s", async (_, came, requests) => {
    const world = aWorld({ options: { rateLimit: 1000 }, answer: () => came });
    world.hear(manyCandidates(50, (index) => `http://a.test/${index}`));
    await finish(world);
    expect([world.frontier.ended, world.urls().length, world.backlog.rows.size]).toEqual(["deferred", requests, 50]);
  });

  test("a host of which nothing comes back is tried as long as another one is crawled", async () => {
    const isUp = (url: string, at: number) => url.startsWith("http://b.test") || at > 20_000;
    const world = aWorld({ options: { rateLimit: 1000 }, answer: (url, at) => (isUp(url, at) ? {} : failing) });
    world.hear([aCandidate("http://a.test/"), ...manyCandidates(60, (index) => `http://b.test/${index}`)]);
    await finish(world);
    expect([world.frontier.ended, world.backlog.rows.size]).toEqual(["drained", 0]);
  });

  test("a few URLs that always fail do not slow down the host that answers the others", async () => {
    const ofPage: Came = { answer: { kind: "failed", blames: "url" }, retryAfter: 1000, duration: 5 };
    const world = aWorld({ options: { rateLimit: 10 }, answer: (url) => (isBad(url) ? ofPage : { duration: 5 }) });
    world.hear(manyCandidates(480, (index) => `http://a.test/${index}`));
    world.hear(manyCandidates(6, (index) => `http://a.test/${index}/bad`, { priority: -1 }));
    const before = performance.now();
    await finish(world);
    expect([world.gaveUp.length, world.frontier.ended]).toEqual([6, "drained"]);
    expect(world.urls().filter(isBad)).toHaveLength(18);
    expect(performance.now() - before).toBeLessThan(480 * 20 + 10_000);
  });

  test("a host over which every URL fails is left alone, though it can be reached", async () => {
    let down = false;
    const ofPage: Came = { answer: { kind: "failed", blames: "url" }, retryAfter: 1000, duration: 5 };
    const world = aWorld({ options: { rateLimit: 100 }, answer: (_, at) => (down && at < 60_000 ? ofPage : {}) });
    world.hear(manyCandidates(2, (index) => `http://a.test/${index}`));
    await finish(world);
    down = true;
    world.hear(manyCandidates(50, (index) => `http://a.test/more/${index}`));
    await finish(world);
    expect([world.gaveUp, world.frontier.ended]).toEqual([[], "drained"]);
    expect(world.times("a.test").filter((at) => at > 100 && at < 60_000).length).toBeLessThan(13);
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

  test("no later than we wait in all, in however many steps, as long as nothing answers", async () => {
    const world = aWorld({ options: { rateLimit: 1000, maxWait: 20_000 }, answer: () => failing });
    world.hear([aCandidate("http://a.test/1")]);
    await finish(world);
    expect([world.frontier.ended, performance.now() < 20_000, world.backlog.rows.size]).toEqual(["deferred", true, 1]);
  });

  test("and every answer begins the wait anew", async () => {
    const world = aWorld({ options: { rateLimit: 9000, maxWait: 10_000 } });
    world.hear(manyCandidates(5, (index) => `http://a.test/${index}`));
    await finish(world);
    expect([world.frontier.ended, world.urls().length]).toEqual(["drained", 5]);
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
