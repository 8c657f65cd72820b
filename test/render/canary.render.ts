import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineName, findBrowsers } from "../../src/engine/browser/index.ts";
import { privateSpellings } from "../private-spellings.ts";
import { type CanaryMine, openMine, ways } from "./canary-mine.ts";
import { nameOf } from "./show-pages.ts";

const here = await Promise.all(
  (["chromium", "firefox", "webkit"] as const).map(async (engine): Promise<[EngineName, string]> => {
    const lacks = await findBrowsers([engine], []).then(
      () => "",
      ({ message, hint }: { message: string; hint: string }) => `: ${message} (${hint})`,
    );
    return [engine, lacks];
  }),
);

describe.each(here)("%s%s", (engine, lacks) => {
  describe.skipIf(lacks !== "")(`leaves the canaries silent: ${privateSpellings.length} spellings`, () => {
    let mine: CanaryMine;
    beforeAll(async () => {
      mine = await openMine(engine);
    });
    afterAll(() => mine.close());

    test.each(Object.keys(ways))("by %s", async (way) => {
      expect(["body", "moved", "failed render.timeout"]).toContain(nameOf(await mine.show(way)));
      expect(mine.songs).toEqual([]);
    });
  });
});

test("they sing when they are invited, so silence means something", async () => {
  const mine = await openMine("chromium", ["127.0.0.0/8", "::1"]);
  const { requests } = await mine.show("fetch");
  await mine.close();
  expect(requests).toBeGreaterThan(40);
  expect(mine.songs).toContain("tcp 127.0.9.9");
});
