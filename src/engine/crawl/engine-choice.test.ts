import { expect, test } from "vitest";
import type { HostEngine } from "../../store/index.ts";
import type { EngineName } from "../browser/index.ts";
import { EngineChoice } from "./engine-choice.ts";

const engines = ["chromium", "firefox", "webkit"] as const;

function aShelf(stored?: HostEngine) {
  const hosts = new Map(stored && [["a.test", stored]]);
  return {
    hosts,
    hostEngine: async (host: string) => hosts.get(host),
    saveHostEngine: async (host: string, engine: HostEngine) => void hosts.set(host, engine),
    gain: async () => undefined,
    saveGain: async () => undefined,
    picture: async () => undefined,
  };
}

/** Requests a page with one engine after the other until the choice is settled; returns the engines tried. */
async function askFor(choice: EngineChoice, isGood: (engine: EngineName) => boolean): Promise<EngineName[]> {
  const tried: EngineName[] = [];
  for (;;) {
    const engine = await choice.next("a.test", tried);
    if (engine === undefined) return tried;
    tried.push(engine);
    if (!(await choice.learn("a.test", engine, isGood(engine), tried))) return tried;
  }
}

test("the first page tries them in order, and the one that works is kept, over runs too", async () => {
  const shelf = aShelf();
  const choice = new EngineChoice(engines, shelf);
  expect(await askFor(choice, (engine) => engine === "webkit")).toEqual(["chromium", "firefox", "webkit"]);
  expect(await askFor(choice, (engine) => engine === "webkit")).toEqual(["webkit"]);
  expect(shelf.hosts.get("a.test")).toEqual({ engine: "webkit", isWalled: false });
  expect(await askFor(new EngineChoice(engines, shelf), () => true)).toEqual(["webkit"]);
});

test("one bad page is the page's; two in a row, and the others are tried", async () => {
  const shelf = aShelf({ engine: "chromium", isWalled: false });
  const choice = new EngineChoice(engines, shelf);
  expect(await askFor(choice, () => true)).toEqual(["chromium"]);
  expect(await askFor(choice, () => false)).toEqual(["chromium"]);
  expect(await askFor(choice, (engine) => engine === "firefox")).toEqual(["chromium", "firefox"]);
  expect(shelf.hosts.get("a.test")).toMatchObject({ engine: "firefox" });
});

test("an engine of an earlier run that is shut out now loses no page", async () => {
  const shelf = aShelf({ engine: "chromium", isWalled: true });
  const choice = new EngineChoice(engines, shelf);
  const onlyFirefox = (engine: EngineName) => engine === "firefox";
  expect(await askFor(choice, onlyFirefox)).toEqual(["chromium", "firefox"]);
  expect(await askFor(choice, onlyFirefox)).toEqual(["firefox"]);
  expect(shelf.hosts.get("a.test")).toMatchObject({ engine: "firefox" });
});

test("a host that none gets through to is tried with all of them for three pages, and then with one", async () => {
  const choice = new EngineChoice(engines, aShelf());
  const tries: number[] = [];
  for (let page = 0; page < 5; page++) tries.push((await askFor(choice, () => false)).length);
  expect(tries).toEqual([3, 3, 3, 1, 1]);
  expect(await choice.mayBrowserHelp("a.test")).toBe(false);
  expect((await askFor(choice, () => true)).length).toBe(1);
  expect(await choice.mayBrowserHelp("a.test")).toBe(true);
});

test("an engine that is not here any more is as good as none", async () => {
  const choice = new EngineChoice(["firefox"], aShelf({ engine: "webkit", isWalled: true }));
  expect([await choice.isWalled("a.test"), await askFor(choice, () => true)]).toEqual([false, ["firefox"]]);
});

test("where two plain requests in a row were turned away and a browser was not, it is asked at once", async () => {
  const shelf = aShelf();
  const choice = new EngineChoice(engines, shelf);
  await askFor(choice, () => true);
  await choice.recordRefusal("a.test", true);
  expect(await choice.isWalled("a.test")).toBe(false);
  await choice.recordRefusal("a.test", true);
  expect([await choice.isWalled("a.test"), shelf.hosts.get("a.test")]).toEqual([true, { engine: "chromium", isWalled: true }]);
  expect(await new EngineChoice(engines, shelf).isWalled("a.test")).toBe(true);
});
