import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { extract } from "../../src/analysis/extract/index.ts";
import { seededRandom } from "../../src/engine/frontier/index.ts";
import { kinds, type Mutation, mutate } from "./mutate.ts";
import { torture } from "./torture.ts";

const PIECES = 100_000;
/** The longest body a crawl reads, by default. */
const MOST = 10_000_000;
const SECOND = 1_000_000;

/** Processor time in microseconds: what else the machine does is not the page's fault. */
function cpuOf(html: string): number {
  const before = process.cpuUsage();
  extract(html, "http://a.test/2024/03/02/climb");
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe("no page made to hurt takes a second", () => {
  test.each(torture)("%s", (_name, page) => {
    expect(cpuOf(page(PIECES).slice(0, MOST))).toBeLessThan(SECOND);
  });
});

/** A folder with pages of others, `.html` or `.html.gz`, anywhere inside. */
const folder = process.env.NUTHATCH_FUZZ_PAGES;

test.skipIf(folder === undefined)("ten thousand mutations of the pages in NUTHATCH_FUZZ_PAGES neither throw nor take a second", () => {
  const random = seededRandom(7);
  const names = readdirSync(folder!, { recursive: true, encoding: "utf8" }).filter((name) => /\.html(?:\.gz)?$/.test(name));
  const slow: string[] = [];
  for (let run = 0; run < 10_000; run++) {
    const name = names[Math.floor(random() * names.length)]!;
    const bytes = readFileSync(join(folder!, name));
    const broken = Array.from({ length: 1 + Math.floor(random() * 8) }, (): Mutation => {
      return { kind: kinds[Math.floor(random() * kinds.length)]!, at: random(), to: random(), piece: random() };
    });
    const took = cpuOf(mutate((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"), broken));
    if (took > SECOND) slow.push(`${name} after ${JSON.stringify(broken)}: ${took / 1000} ms`);
  }
  expect(slow).toEqual([]);
});
