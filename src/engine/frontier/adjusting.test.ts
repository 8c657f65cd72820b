import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aCandidate, aWorld, finish, manyCandidates } from "../../../test/fake-backlog.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a frontier whose options change", () => {
  test.each([
    ["slower: the pause counts from the last request", 1000, 3000, [0, 1000, 4000, 7000]],
    ["faster: so does the shorter one, if it is not over", 3000, 1000, [0, 1500, 2500, 3500]],
    ["without a pause", 3000, 0, [0, 1500, 1500, 1500]],
  ])("asks %s", async (_, before, after, expected) => {
    const options = { rateLimit: before };
    const world = aWorld({ options });
    const own = optionsOf(world);
    world.hear(manyCandidates(4, (index) => `http://a.test/${index}`));
    setTimeout(() => {
      own.rateLimit = after;
      world.frontier.repace();
    }, 1500);
    await finish(world);
    expect(world.times("a.test")).toEqual(expected);
  });

  test("does not shorten the pause that a host wants", async () => {
    const answer = (url: string) => (url.endsWith("/0") ? { answer: { kind: "asked-to-wait", retryAfter: 10_000 } as const } : {});
    const world = aWorld({ options: { rateLimit: 1000 }, answer });
    world.hear([aCandidate("http://a.test/0", { priority: 9 }), aCandidate("http://a.test/1")]);
    setTimeout(() => {
      optionsOf(world).rateLimit = 0;
      world.frontier.repace();
    }, 500);
    await finish(world);
    expect(world.times("a.test")).toEqual([0, 10_000]);
  });

  test("lets no more out at once than it may now, though more workers wait", async () => {
    let [out, most] = [0, 0];
    const world = aWorld({ workers: 4, answer: () => ({ duration: 1000 }) });
    world.hear(manyCandidates(12, (index) => `http://h${index}.test/`));
    optionsOf(world).maxConcurrent = 2;
    const { learn, next } = world.frontier;
    world.frontier.next = async () => {
      const job = await next.call(world.frontier);
      if (job) most = Math.max(most, ++out);
      return job;
    };
    world.frontier.learn = (...given) => {
      out -= 1;
      return learn.apply(world.frontier, given);
    };
    await finish(world);
    expect(most).toBe(2);
    expect(world.log).toHaveLength(12);
  });

  test("forgets what is dropped, in memory and on disk, and ends when nothing is left", async () => {
    const world = aWorld({ options: { rateLimit: 1000 } });
    const candidates = manyCandidates(200, (index) => `http://a.test/${index}`);
    world.hear(candidates);
    setTimeout(() => {
      const rows = candidates.filter(({ id }) => world.backlog.rows.has(id) && !world.frontier.taken.has(id));
      for (const { id } of rows) world.backlog.rows.delete(id);
      world.frontier.drop(rows);
    }, 2500);
    await finish(world);
    expect(world.times("a.test")).toEqual([0, 1000, 2000]);
    expect(world.frontier.ended).toBe("drained");
  });
});

/** The frontier reads its options from the run's config object, which is changed in place. */
function optionsOf(world: ReturnType<typeof aWorld>): { rateLimit: number; maxConcurrent: number } {
  return world.options;
}
