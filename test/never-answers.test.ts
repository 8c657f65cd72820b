import { crawl, StorageError } from "nuthatch";
import { type FakeSite, fakeSite } from "nuthatch/testing";
import { describe, expect, test } from "vitest";
import { seedsBy } from "../dist/src/core/seed.js";
import { openApp } from "../dist/src/engine/app.js";
import { resolveConfig } from "../dist/src/engine/config/index.js";
import { readSetupOf, startRun } from "../dist/src/engine/crawl/index.js";

const links = (...paths: readonly string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(" ");
const pages = { "/": links("/a", "/b", "/c"), "/a": "<p>The first</p>", "/b": "<p>The second</p>", "/c": "<p>The third</p>" };
const options = { rateLimit: "none", maxConcurrent: 2, perHost: 2 } as const;

type World = FakeSite["options"]["world"];
type Fetcher = Awaited<ReturnType<World["openFetcher"]>>;

/** A second of whoever watches takes two milliseconds. */
function quick({ clock }: World): World["clock"] {
  const every = (milliseconds: number, call: () => void) => {
    const timer = setInterval(call, milliseconds / 500);
    return () => clearInterval(timer);
  };
  return { now: clock.now, wall: clock.wall, after: clock.after, every };
}

function withFetch(site: FakeSite, fetchWith: (fetcher: Fetcher) => Fetcher["fetch"]): World {
  const { world } = site.options;
  const openFetcher: World["openFetcher"] = async (...given) => {
    const fetcher = await world.openFetcher(...given);
    return { fetch: fetchWith(fetcher), close: () => fetcher.close() };
  };
  return { ...world, clock: quick(world), openFetcher };
}

const never = () => new Promise<never>(() => undefined);

describe("a fetcher that never answers", () => {
  test("costs the pages that it was asked for, and no others", async () => {
    const site = fakeSite(pages);
    const world = withFetch(
      site,
      ({ fetch }) =>
        (ask, signal) =>
          ask.url.endsWith("/b") ? never() : fetch(ask, signal),
    );
    await using run = crawl(site.url, { ...options, world, retries: 0 });
    expect(await run.result).toMatchObject({ stopReason: "finished", stats: { pages: 3, failed: 1 } });
    expect(await run.explain(`${site.url}b`)).toMatchObject({ verdict: "failed", reason: "stuck" });
  });

  test("is asked again, and what it says to the first question after all is not settled", async () => {
    const site = fakeSite(pages);
    let asked = 0;
    let answerLate: () => void = () => undefined;
    const spent: boolean[] = [];
    const world = withFetch(site, ({ fetch }) => async (ask, signal) => {
      if (!ask.url.endsWith("/b")) return fetch(ask, signal);
      asked += 1;
      if (asked > 1) {
        answerLate();
        return fetch(ask, signal);
      }
      await new Promise<void>((resolve) => {
        answerLate = resolve;
      });
      spent.push(ask.turn.spent);
      return fetch(ask, signal);
    });
    await using run = crawl(site.url, { ...options, world });
    const seen: string[] = [];
    for await (const { url } of run) seen.push(url.replace(site.url, "/"));
    expect(seen.sort()).toEqual(Object.keys(pages));
    expect(asked).toBe(2);
    expect(spent, "no request can leave with a turn that was given up").toEqual([true]);
    expect(site.requests.filter(({ path }) => path === "/b")).toHaveLength(1);
  });
});

test("a reader that never answers costs the pages that it was given", async () => {
  const site = fakeSite(pages);
  const { world } = site.options;
  const openReader: World["openReader"] = async (...given) => {
    const reader = await world.openReader(...given);
    return { ...reader, read: (job) => (job.url.endsWith("/b") ? never() : reader.read(job)) };
  };
  await using run = crawl(site.url, { ...options, world: { ...world, clock: quick(world), openReader } });
  expect(await run.result).toMatchObject({ stopReason: "finished", stats: { pages: 3, failed: 1 } });
  expect(await run.explain(`${site.url}b`)).toMatchObject({ verdict: "failed", reason: "parse", rule: "the reader never answered" });
});

describe("a store that never answers ends the run with an error that names it", () => {
  test.each(["settle", "claim"])("%s", async (silent) => {
    const site = fakeSite(pages);
    const { world } = site.options;
    await using app = await openApp({ db: ":memory:", world }).then((opened) => ({ ...opened, [Symbol.asyncDispose]: opened.close }));
    const config = resolveConfig([{ from: "test", values: { ...options, enhance: false } }]);
    const named = seedsBy("person", [site.url]);
    const sites = await app.store.sitesAt([{ url: site.url, key: site.url }]);
    const run = await app.store.startRun({ sites, seeds: named, options: {}, at: world.clock.wall() });
    let isSilent = false;
    const store = {
      ...app.store,
      settle: (settlement: Parameters<typeof app.store.settle>[0]) =>
        silent === "settle" && isSilent ? never() : app.store.settle(settlement),
      backlog: (runId: number) => {
        const backlog = app.store.backlog(runId);
        const claim: typeof backlog.claim = (turns) => (silent === "claim" && isSilent ? never() : backlog.claim(turns));
        const { hosts, load, giveBack, release } = backlog;
        return {
          claim,
          hosts: hosts.bind(backlog),
          load: load.bind(backlog),
          giveBack: giveBack.bind(backlog),
          release: release.bind(backlog),
        };
      },
    };
    const control = startRun({
      store,
      fetcher: await world.openFetcher(config, await app.networkAccess(config, named)),
      reader: await world.openReader(readSetupOf(config, store), config),
      config,
      run,
      isResumed: false,
      hasHistory: false,
      home: undefined,
      clock: quick(world),
      emit: (event) => {
        if (event.type === "page.fetched") isSilent = true;
      },
      wantsLinks: false,
      mayGoOn: () => undefined,
    });
    const failure = await control.result.catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ name: "SilentStoreError", message: expect.stringContaining("does not answer") });
    expect(StorageError.name).toBe(Object.getPrototypeOf((failure as Error).constructor).name);
  });
});
