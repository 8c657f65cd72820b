import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aWorld, finish, manyCandidates } from "../../../test/fake-backlog.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("where hosts are leased", () => {
  test("nothing is asked of a host that is not ours, however near its URLs are", async () => {
    const world = aWorld({ workers: 2 });
    world.backlog.ours = new Set(["a.test"]);
    world.hear(manyCandidates(2, (index) => `http://a.test/${index}`));
    world.hear(manyCandidates(2, (index) => `http://b.test/${index}`));
    await finish(world);
    expect(world.urls()).toEqual(["http://a.test/0", "http://a.test/1"]);
  });

  test("a host that becomes ours is found while others are at work", async () => {
    const world = aWorld({
      options: { rateLimit: 1000 },
      answer: (url) => {
        if (url === "http://a.test/0") world.backlog.ours!.add("b.test");
        return {};
      },
    });
    world.backlog.ours = new Set(["a.test"]);
    world.hear(manyCandidates(3, (index) => `http://a.test/${index}`));
    world.hear(manyCandidates(1, () => "http://b.test/"));
    await finish(world);
    expect(world.urls()).toContain("http://b.test/");
    expect(world.times("b.test")[0]).toBeLessThan(1000);
  });

  test("whoever has all hands full looks for others' sake as well, and whoever has nothing out leaves what is there to them", async () => {
    const world = aWorld({ answer: () => ({ duration: 400 }) });
    world.backlog.ours = new Set(["a.test"]);
    world.hear(manyCandidates(5, (index) => `http://a.test/${index}`));
    const looks: number[] = [];
    const hosts = world.backlog.hosts.bind(world.backlog);
    world.backlog.hosts = (...given) => {
      looks.push(world.frontier.inFlight);
      return hosts(...given);
    };
    const job = world.frontier.next();
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toEqual([1]);
    const visit = await job;
    if (visit?.kind !== "visit") throw new Error("nothing was let out");
    await vi.advanceTimersByTimeAsync(1000);
    world.frontier.learn(visit.visit.turn, { kind: "answered", duration: 1 }, 1);
    world.frontier.free(visit.visit.turn);
    await vi.advanceTimersByTimeAsync(1000);
    expect(looks).toEqual([1]);
  });

  test("a host that was lost is forgotten with all that waits for it", async () => {
    const world = aWorld({ workers: 1 });
    world.backlog.ours = new Set(["a.test", "b.test"]);
    world.backlog.reply = ({ host }) => {
      if (host !== "a.test") return { granted: true };
      world.backlog.ours!.delete("a.test");
      return { granted: false, wait: 0, isLost: true };
    };
    world.hear(manyCandidates(50, (index) => `http://a.test/${index}`));
    world.hear(manyCandidates(2, (index) => `http://b.test/${index}`));
    await finish(world);
    expect(world.urls()).toEqual(["http://b.test/0", "http://b.test/1"]);
    expect(world.backlog.claims.filter(({ host }) => host === "a.test")).toHaveLength(1);
    expect(world.frontier.queued).toBe(0);
  });

  test("a visit that is to be repeated goes to whoever has its host by then", async () => {
    const world = aWorld({
      answer: () => {
        world.backlog.ours!.delete("a.test");
        return { answer: { kind: "failed" }, retryAfter: 10 };
      },
    });
    world.backlog.ours = new Set(["a.test"]);
    world.backlog.reply = ({ host }) => (world.backlog.ours!.has(host) ? { granted: true } : { granted: false, wait: 0, isLost: true });
    world.hear(manyCandidates(1, () => "http://a.test/"));
    await finish(world);
    expect(world.urls()).toEqual(["http://a.test/"]);
  });
});
