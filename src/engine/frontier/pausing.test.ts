import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aCandidate, aWorld, finish, manyCandidates } from "../../../test/fake-backlog.ts";
import type { Job } from "./job.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const turnOf = (job: Job | undefined) => (job?.kind === "errand" ? job.turn : job!.visit.turn);

describe("a frontier that is paused", () => {
  test("lets nothing out, to workers that wait already too, until it goes on", async () => {
    const world = aWorld({ workers: 2, options: { rateLimit: 1000 } });
    world.hear(manyCandidates(5, (index) => `http://a.test/${index}`));
    setTimeout(() => world.frontier.pause(), 1500);
    setTimeout(() => world.frontier.goOn(), 60_000);
    await finish(world);
    expect(world.times("a.test")).toEqual([0, 1000, 60_000, 61_000, 62_000]);
    expect(world.frontier.ended).toBe("drained");
  });

  test("can be stopped", async () => {
    const { frontier, hear } = aWorld();
    hear([aCandidate("http://a.test/1")]);
    frontier.pause();
    const next = frontier.next();
    frontier.stop();
    expect(await next).toBeUndefined();
  });
});

describe("a host that a person has a word on", () => {
  const until = (pausedUntil: number, delay = 0) => new Map([["a.test", { delay, pausedUntil }]]);

  test.each([
    ["paused: not before the pause is over", until(5000), [0, 1000, 5000, 6000]],
    ["paused until a moment that is past: as ever", until(1200), [0, 1000, 2000, 3000]],
    ["slowed down: the longer pause counts from the last request", until(0, 3000), [0, 1000, 4000, 7000]],
    ["wanted faster than our rate: as ever", until(0, 10), [0, 1000, 2000, 3000]],
  ])("is asked as it says: %s", async (_, wishes, expected) => {
    const world = aWorld({ options: { rateLimit: 1000 } });
    world.hear([...manyCandidates(4, (index) => `http://a.test/${index}`), aCandidate("http://b.test/")]);
    setTimeout(() => world.frontier.repace(wishes), 1500);
    await finish(world);
    expect(world.times("a.test")).toEqual(expected);
    expect(world.times("b.test")).toEqual([0]);
  });

  test("goes on at once when the pause is lifted, and tells why it waits", async () => {
    const world = aWorld({ options: { rateLimit: 1000 } });
    world.frontier.repace(until(600_000));
    world.hear([...manyCandidates(2, (index) => `http://a.test/${index}`), ...manyCandidates(9, (index) => `http://b.test/${index}`)]);
    expect([...world.frontier.hosts()].map(({ why, readyAt }) => [why, readyAt])).toEqual([
      ["paused", 600_000],
      ["rate", 0],
    ]);
    setTimeout(() => world.frontier.repace(new Map()), 2500);
    await finish(world);
    expect(world.times("a.test")).toEqual([2500, 3500]);
  });

  test("is not waited for when everybody else is done and the pause is long", async () => {
    const world = aWorld({ options: { rateLimit: 1000, maxWait: 300_000 } });
    world.frontier.repace(until(600_000));
    world.hear([aCandidate("http://a.test/"), aCandidate("http://b.test/")]);
    await finish(world);
    expect(world.times("b.test")).toEqual([0]);
    expect(world.frontier.ended).toBe("deferred");
  });
});

describe("a visit that is put off", () => {
  test("comes again after its pause; its turn goes to another at once", async () => {
    const { frontier, hear } = aWorld({ options: { rateLimit: 1000 } });
    hear([aCandidate("http://a.test/first", { priority: 1 }), aCandidate("http://a.test/second")]);
    const first = await frontier.next();
    await frontier.putOff(turnOf(first), 30_000);
    const second = await frontier.next();
    expect(second).toMatchObject({ kind: "visit", visit: { url: "http://a.test/second" } });
    expect(performance.now()).toBe(0);
    frontier.learn(turnOf(second), { kind: "answered", duration: 0 }, 0);
    frontier.free(turnOf(second));
    const again = frontier.next();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await again).toMatchObject({ visit: { url: "http://a.test/first", attempts: 0 } });
  });

  test("does not bring its host's turn forward if others were asked meanwhile", async () => {
    const { frontier, hear } = aWorld({ workers: 2, options: { rateLimit: 1000, perHost: 2 } });
    hear(manyCandidates(3, (index) => `http://a.test/${index}`));
    const slow = await frontier.next();
    const waiting = frontier.next();
    await vi.advanceTimersByTimeAsync(1000);
    const other = await waiting;
    frontier.learn(turnOf(other), { kind: "answered", duration: 0 }, 0);
    frontier.free(turnOf(other));
    await frontier.putOff(turnOf(slow), 0);
    const times: number[] = [];
    const next = frontier.next().then(() => times.push(performance.now()));
    await vi.advanceTimersByTimeAsync(3000);
    await next;
    expect(times).toEqual([2000]);
  });

  test("is not the end of the run", async () => {
    const { frontier, hear } = aWorld();
    hear([aCandidate("http://a.test/only")]);
    const [only, idle] = [await frontier.next(), frontier.next()];
    await frontier.putOff(turnOf(only), 5000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await idle).toMatchObject({ visit: { url: "http://a.test/only" } });
  });
});
