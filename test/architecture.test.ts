import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** The plan of the house (ARCHITECTURE.md): which room may import which. */
const leaves = [
  "alignment",
  "records",
  "seed",
  "units",
  "code-units",
  "version",
  "clock",
  "malloc",
  "stuck",
  "ours",
  "threads",
  "tune-v8",
  "typed-url",
];
const mayImport: Record<string, readonly string[]> = {
  alignment: [],
  records: [],
  seed: [],
  units: [],
  "code-units": [],
  version: [],
  clock: [],
  malloc: [],
  stuck: [],
  ours: [],
  threads: [],
  "tune-v8": [],
  "typed-url": [],
  url: [],
  robots: ["url"],
  parse: ["url"],
  extract: ["url", "parse"],
  score: [],
  ai: [],
  dedupe: [],
  search: [],
  recrawl: [],
  frontier: ["url", "store"],
  fetch: ["url"],
  browser: ["url", "fetch"],
  store: ["dedupe", "search"],
  crawl: ["url", "robots", "frontier", "fetch", "browser", "parse", "extract", "dedupe", "recrawl", "score", "search", "store"],
  enhance: ["url", "parse", "extract", "crawl", "store"],
  context: ["url"],
  export: ["store"],
  telemetry: ["crawl", "store"],
  config: ["ai", "url", "robots", "frontier", "fetch", "browser", "extract", "recrawl", "score", "crawl"],
  outside: ["browser", "config", "fetch"],
  app: ["browser", "config", "crawl", "fetch", "outside", "score", "store"],
  operations: [
    "ai",
    "app",
    "outside",
    "config",
    "context",
    "crawl",
    "enhance",
    "export",
    "extract",
    "fetch",
    "frontier",
    "parse",
    "recrawl",
    "robots",
    "score",
    "search",
    "dedupe",
    "store",
    "url",
  ],
  api: ["operations", "config", "app", "outside", "crawl", "store", "export", "url", "telemetry"],
  dashboard: [],
  cli: ["api", "operations", "config", "app", "outside", "telemetry", "export", "store", "crawl", "url"],
  library: ["operations", "config", "app", "crawl", "store", "export", "parse", "url"],
  testing: ["library", "app", "config", "crawl", "fetch", "url"],
  index: ["library", "operations", "config", "crawl", "extract", "store"],
};

const src = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"));
const roomOf = (file: string) => file.split("/")[0]!.replace(/\.tsx?$/, "");

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(src, from), "utf8");
  const statements = text.matchAll(/(?:^|\n)(?:import|export)\s+(type\s)?[^;"']*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/g);
  return [...statements].map(([, type, path, dynamic]) => ({
    from,
    to: relative(src, normalize(join(src, dirname(from), path ?? dynamic!))),
    isType: type !== undefined,
  }));
});

describe("the house is as its plan says", () => {
  test("there are imports to walk, and every room is in the plan", () => {
    expect(imports.length).toBeGreaterThan(100);
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in mayImport))).toEqual([]);
  });

  test("rooms import only the rooms they may", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)];
      if (to.startsWith("..")) return !(from === "cli/demo.ts" && to === "../test/site/index.ts");
      return here !== there && !leaves.includes(there) && !mayImport[here]?.includes(there);
    });
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test("outside a room only its door is used", () => {
    const isDoor = (path: string) => !path.includes("/") || path.endsWith("/index.ts");
    const wrong = imports.filter(({ from, to }) => {
      if (roomOf(from) === roomOf(to) || to.startsWith("..") || isDoor(to)) return false;
      // config gathers each room's options; operations are a shelf, one door each.
      return !(roomOf(from) === "config" && to.endsWith("/options.ts")) && roomOf(to) !== "operations";
    });
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test("no file can reach itself", () => {
    const next = new Map<string, string[]>();
    for (const { from, to, isType } of imports) if (!isType) next.set(from, [...(next.get(from) ?? []), to]);
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      if (state.get(file) === "open") cycles.push([...path, file].join(" → "));
      if (state.has(file)) return;
      state.set(file, "open");
      for (const to of next.get(file) ?? []) walk(to, [...path, file]);
      state.set(file, "done");
    };
    for (const file of files) walk(file, []);
    expect(cycles).toEqual([]);
  });

  test("thinking rooms touch neither clock, network, disk nor environment", () => {
    const pure = new Set(["records", "url", "robots", "parse", "dedupe", "recrawl", "context"]);
    const worldly =
      /\bDate\.now\(|new Date\(\)|process\.|from "node:(fs|net|http|https|dns|child_process|os)|\bfetch\(|setTimeout|Math\.random/;
    const wrong = files.filter((file) => pure.has(roomOf(file)) && worldly.test(readFileSync(join(src, file), "utf8")));
    expect(wrong).toEqual([]);
  });

  test("of the scoring room only one file touches the disk, to read what we ship", () => {
    const worldly = /\bDate\.now\(|process\.|from "node:|\bfetch\(|setTimeout|Math\.random/;
    const found = files.filter((file) => roomOf(file) === "score" && worldly.test(readFileSync(join(src, file), "utf8")));
    expect(found).toEqual(["score/assets.ts"]);
  });

  test("heavy schemas stay out of worker threads", () => {
    const reached = new Set<string>();
    const walk = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { from, to, isType } of imports) if (from === file && !isType) walk(to);
    };
    walk("crawl/read-worker.ts");
    expect([...reached].filter((file) => file.endsWith("options.ts") || file === "units.ts")).toEqual([]);
  });
});
