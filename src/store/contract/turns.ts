import { describe, expect, test } from "vitest";
import type { StoredCandidate, Want } from "../backlog.ts";
import type { NewUrl } from "../settlement.ts";
import { aNewUrl, anything, aRun, aVisit, type Bench, nothing, queuedFor } from "./records.ts";

export function turnsContract(name: string, { open, advanceTime }: Bench): void {
  describe(`${name}: the backlog`, () => {
    test("gives the best of each front queue first, and what is in memory or done not at all", async () => {
      const { backlog, hear: addUrls, settle } = await aRun(open());
      const places = [
        [0, 1],
        [0, 5],
        [2, 9],
        [0, 3],
        [7, -1e9],
      ] as const;
      const candidates = await addUrls(...places.map(([level, priority], index) => aNewUrl(`http://a.test/${index}`, { level, priority })));
      const load = async (share: (level: number) => number, inMemory: (id: number) => boolean = nothing) =>
        (await queuedFor(backlog, "a.test", { share, inMemory })).map(({ url }) => Number(url.at(-1)));
      expect(await load(anything)).toEqual([1, 3, 0, 2, 4]);
      expect(await load((level) => (level === 0 ? 2 : level === 7 ? 1 : 0))).toEqual([1, 3, 4]);
      expect(
        await load(
          () => 1,
          (id) => id === candidates[1]!.id,
        ),
      ).toEqual([3, 2, 4]);
      await settle({ visits: [aVisit(candidates[1]!), aVisit(candidates[3]!, { verdict: "queued", isRetry: true, attempts: 1 })] });
      expect(await load(anything)).toEqual([3, 0, 2, 4]);
      expect((await queuedFor(backlog, "a.test"))[0]).toMatchObject({ attempts: 1 });
      expect(await queuedFor(backlog, "other.test")).toEqual([]);
    });

    test("gives what waits for several hosts at once, each its share", async () => {
      const { backlog, hear: addUrls } = await aRun(open());
      const urls = ["a", "b"].flatMap((host) => Array.from({ length: 50 }, (_, index) => `http://${host}.test/${index}`));
      const heard = await addUrls(...urls.map((url, index) => aNewUrl(url, { level: index % 2, priority: index % 7 })));
      const wants: Want[] = [
        { host: "b.test", share: () => 3, inMemory: (id) => id % 5 !== 0 },
        { host: "none.test", share: anything, inMemory: nothing },
        { host: "a.test", share: (level) => (level === 1 ? 40 : 0), inMemory: nothing },
      ];
      const best = ({ host, share, inMemory }: Want) =>
        [0, 1].flatMap((level) =>
          heard
            .filter((one) => one.host === host && one.level === level && !inMemory(one.id))
            .sort((a, b) => b.priority - a.priority || a.id - b.id)
            .slice(0, share(level))
            .map(({ url }) => url),
        );
      expect((await backlog.load(wants)).map((some) => some.map(({ url }) => url))).toEqual(wants.map(best));
      expect(wants.map((want) => best(want).length)).toEqual([6, 0, 25]);
    });

    test("gives a candidate back as it was heard", async () => {
      const { backlog, hear: addUrls } = await aRun(open());
      const [parent] = await addUrls(aNewUrl("http://a.test/parent"));
      const heard = aNewUrl("http://a.test/?b=1&utm_source=x", {
        key: "http://a.test/?b=1",
        kind: "sitemap",
        depth: 3,
        hops: 2,
        via: "redirect",
        priority: 0.25,
      });
      const [child] = await addUrls({ ...heard, hash: { hi: 0xffff_ffff, lo: 0x8000_0001 }, parent: parent!.url, parentId: parent!.id });
      const { verdict, reason, rule, parentId, ...candidate } = child as StoredCandidate & NewUrl;
      expect(await queuedFor(backlog, "a.test", { inMemory: (id) => id === parent!.id })).toEqual([candidate]);
    });

    test("knows its hosts, how much waits for each, and who may be asked first", async () => {
      const { backlog, hear: addUrls, settle } = await aRun(open());
      await addUrls(...["http://a.test/1", "http://a.test/2", "http://b.test/", "http://c.test/"].map((url) => aNewUrl(url)));
      await settle({ hosts: [{ host: "a.test", wait: 9000, delay: 9000, cause: "retry-after", failures: 1, isIdle: true }] });
      expect((await backlog.hosts(10, (host) => host === "b.test")).at(-1)).toEqual({ host: "a.test", queued: 2 });
      expect(await backlog.hosts(1, nothing)).toHaveLength(1);
      expect(await backlog.hosts(10, (host) => host !== "c.test")).toEqual([{ host: "c.test", queued: 1 }]);
    });
  });

  describe(`${name}: a host's turn`, () => {
    const turn = (delay: number) => ({ host: "h.test", visit: 0, delay, cause: "rate" as const });
    const news = (wait: number) => ({ host: "h.test", wait, delay: wait, cause: "rate" as const, failures: 0, isIdle: true });
    const two = async () => [await aRun(open(), "http://a.test/"), await aRun(open(), "http://b.test/")] as const;

    test("is granted once within the delay, over two connections", async () => {
      const [a, b] = await two();
      expect(await a.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
      const [denied] = await b.backlog.claim([turn(1000)]);
      expect(denied).toMatchObject({ granted: false });
      advanceTime(10);
      await a.settle({ hosts: [news(1000)] });
      advanceTime(990);
      expect(await b.backlog.claim([turn(1000)])).toMatchObject([{ granted: false, wait: 10 }]);
      advanceTime(10);
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
      expect(await a.backlog.claim([turn(1000)])).toMatchObject([{ granted: false }]);
    });

    test("is not granted while another's request is out, though it is due", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(1000)]);
      advanceTime(20_000);
      expect(await b.backlog.claim([turn(1000)])).toMatchObject([{ granted: false }]);
      advanceTime(120_000);
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
    });

    test("is put off for everybody by what the host asked for", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(1000)]);
      await a.settle({ hosts: [{ ...news(60_000), cause: "retry-after", failures: 1 }] });
      advanceTime(59_999);
      for (const { backlog } of [b, a]) expect(await backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
      advanceTime(2500);
      expect(await b.backlog.claim([turn(0)])).toEqual([{ granted: true }]);
    });

    describe("of a host that an earlier run left in back-off", () => {
      const backOff = { ...news(256_000), cause: "backoff" as const, failures: 9 };
      const left = async (more: object = {}) => {
        const [a, b] = await two();
        await a.backlog.claim([turn(1000)]);
        await a.settle({ hosts: [{ ...backOff, ...more }] });
        return [a, b] as const;
      };
      const known = { cause: "backoff", delay: 256_000, failures: 9 };

      test("is granted to a run that began later, a regular delay after the last request, and tells how often it failed", async () => {
        const [, b] = await left();
        advanceTime(400);
        const first = { ...turn(1000), beganAt: Date.now() };
        const [denied] = await b.backlog.claim([first]);
        expect(denied).toMatchObject({ granted: false, known });
        const { wait } = denied as { wait: number };
        expect([wait >= 600, wait < 1000]).toEqual([true, true]);
        advanceTime(wait);
        expect(await b.backlog.claim([first])).toEqual([{ granted: true, known }]);
        await b.settle({ hosts: [{ ...backOff, wait: 512_000, delay: 512_000, failures: 10 }] });
        advanceTime(60_000);
        expect(await b.backlog.claim([first]), "once").toMatchObject([{ granted: false, wait: 452_000 }]);
      });

      test("comes no sooner than the delay that was regular then", async () => {
        const [, b] = await left({ wait: 80_000, delay: 80_000, failures: 4 });
        advanceTime(9000);
        expect(await b.backlog.claim([{ ...turn(1000), beganAt: Date.now() }])).toMatchObject([{ granted: false, wait: 1000 }]);
      });

      test.each([
        ["to the run that failed there itself", { cause: "backoff" }, false],
        ["where the host said Retry-After", { cause: "retry-after" }, true],
        ["where our rate, or a Crawl-delay, is as long", { cause: "crawl-delay", failures: 0 }, true],
      ])("is not granted %s", async (_, more, isLater) => {
        const [, b] = await left(more);
        advanceTime(30_000);
        const [reply] = await b.backlog.claim([{ ...turn(1000), beganAt: Date.now() - (isLater ? 0 : 60_000) }]);
        expect(reply).toMatchObject({ granted: false, wait: 226_000, known: { cause: more.cause } });
      });
    });

    test("is told where it is long in coming, and comes soon where somebody frees the host", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(1000), { ...turn(1000), host: "usual.test" }, { ...turn(3_600_000), host: "slow.test" }]);
      await a.settle({
        hosts: [
          { ...news(256_000), cause: "backoff", failures: 9 },
          { ...news(1000), host: "usual.test" },
          { ...news(3_600_000), host: "slow.test" },
        ],
      });
      const { queue } = b.store;
      const now = Date.now();
      const pauses = await queue.pauses(now, 10);
      expect(pauses).toMatchObject([
        { host: "h.test", cause: "backoff", delayMs: 256_000, failures: 9 },
        { host: "slow.test", cause: "rate", delayMs: 3_600_000, failures: 0 },
      ]);
      expect(pauses[0]!.nextAt - now).toBe(256_000);
      expect(await queue.pauses(now, 1)).toHaveLength(1);
      expect(await queue.pace("h.test")).toEqual(pauses[0]);
      expect(await queue.pace("nobody.test")).toBeUndefined();
      await queue.resetHost("h.test", now + 700, now);
      expect(await queue.pace("h.test")).toEqual({ host: "h.test", nextAt: now + 700, delayMs: 700, cause: "rate", failures: 0 });
      expect((await queue.pauses(now, 10)).map(({ host }) => host)).toEqual(["slow.test"]);
      expect(await b.backlog.claim([turn(1000)])).toMatchObject([{ granted: false, wait: 700 }]);
      advanceTime(700);
      expect(await b.backlog.claim([turn(1000)])).toMatchObject([{ granted: true }]);
    });

    test("is granted to nobody while a person has the host paused, and after a longer pause where one wants it slower", async () => {
      const [a, b] = await two();
      const now = Date.now();
      await a.store.userData.setHost("h.test", { pausedUntil: now + 60_000 }, now);
      expect(await a.store.userData.hosts()).toEqual([{ host: "h.test", delay: 0, pausedUntil: now + 60_000, changedAt: now }]);
      for (const { backlog } of [b, a]) expect(await backlog.claim([turn(0)])).toEqual([{ granted: false, wait: 1000 }]);
      await b.store.userData.setHost("h.test", { delay: 5000, pausedUntil: 0 }, now);
      expect(await a.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
      await a.backlog.release("h.test");
      advanceTime(4000);
      expect(await b.backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
      advanceTime(1250);
      expect(await b.backlog.claim([turn(0)])).toEqual([{ granted: true }]);
      await a.store.userData.setHost("h.test", { delay: 0 }, now);
      expect(await b.store.userData.hosts()).toEqual([]);
    });

    test.each([
      ["a second", 1000],
      ["ten seconds", 10_000],
      ["no time at all", 0],
    ])("is shared fairly when two want it: the delay is %s", async (_, delay) => {
      const [a, b] = await two();
      const crawls = [a, b].map((run) => ({ run, turns: 0, askAt: Date.now(), out: false }));
      // The first run always asks first, and its request takes a while.
      for (let tick = 0; tick < 1200; tick++) {
        for (const crawl of crawls) {
          if (Date.now() < crawl.askAt) continue;
          if (crawl.out) await crawl.run.settle({ hosts: [news(Math.max(0, delay - 50))] });
          const wait = crawl.out ? delay - 50 : 0;
          crawl.out = false;
          if (wait > 0) {
            crawl.askAt = Date.now() + wait;
            continue;
          }
          const [reply] = await crawl.run.backlog.claim([turn(delay)]);
          if (reply!.granted) crawl.turns += 1;
          crawl.out = reply!.granted;
          crawl.askAt = Date.now() + (reply!.granted ? 50 : (reply as { wait: number }).wait);
        }
        advanceTime(50);
      }
      const [first, second] = crawls.map(({ turns }) => turns) as [number, number];
      expect(Math.min(first, second)).toBeGreaterThan(1);
      expect(Math.max(first, second) / Math.min(first, second)).toBeLessThan(delay === 0 ? 8 : 1.5);
    });

    test("is waited for no longer than its delay when the clock is set back", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(5000)]);
      await a.settle({ hosts: [news(5000)] });
      advanceTime(-3_600_000);
      expect(await b.backlog.claim([turn(1000)])).toMatchObject([{ granted: false, wait: 5000 }]);
      advanceTime(5000);
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
    });

    test("that is given back or released is free for others", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(1000)]);
      await a.backlog.giveBack("h.test");
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
      await b.backlog.release("h.test");
      expect(await a.backlog.claim([turn(1000)])).toMatchObject([{ granted: false }]);
      advanceTime(1300);
      expect(await a.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
    });

    test("without a delay is not kept longer than its lease", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(0)]);
      advanceTime(121_000);
      expect(await b.backlog.claim([turn(0)])).toEqual([{ granted: true }]);
      expect(await a.backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
    });

    test("without a delay goes to whoever wanted it while it was kept", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(0)]);
      advanceTime(59_900);
      expect(await b.backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
      advanceTime(200);
      expect(await a.backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
      expect(await b.backlog.claim([turn(0)])).toEqual([{ granted: true }]);
    });

    test("is let go when its run ends", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(0)]);
      expect(await b.backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
      await a.store.releaseHosts(a.run.id);
      expect(await b.backlog.claim([turn(0)])).toEqual([{ granted: true }]);
    });

    test("is forgotten with its run, so that a server does not look after all runs it ever had", async () => {
      const store = open();
      for (const runId of [7, -7]) {
        const before = store.backlog(runId);
        expect(store.backlog(runId)).toBe(before);
        await store.releaseHosts(runId);
        expect(store.backlog(runId)).not.toBe(before);
      }
    });
  });
}
