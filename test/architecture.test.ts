import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** Each layer may import only itself and the layers before it. */
const layers = ["core", "analysis", "store", "engine", "features", "interfaces"] as const;

/** Each module (`layer/name`, as in ARCHITECTURE.md) may import only these modules, besides `core`. */
const mayImport: Record<string, readonly string[]> = {
  "analysis/url": [],
  "analysis/robots": ["analysis/url"],
  "analysis/parse": ["analysis/url"],
  "analysis/extract": ["analysis/url", "analysis/parse"],
  "analysis/score": [],
  "analysis/dedupe": [],
  "analysis/search": [],
  "analysis/recrawl": [],
  "analysis/context": ["analysis/url"],
  store: ["analysis/dedupe", "analysis/search"],
  "engine/ai": [],
  "engine/formats": ["store"],
  "engine/frontier": ["analysis/url", "store"],
  "engine/fetch": ["analysis/url"],
  "engine/browser": ["analysis/url", "engine/fetch"],
  "engine/crawl": ["analysis", "store", "engine/frontier", "engine/fetch", "engine/browser"],
  "engine/enhance": ["analysis/url", "analysis/parse", "analysis/extract", "store", "engine/crawl"],
  "engine/telemetry": ["store", "engine/crawl"],
  "engine/config": ["analysis", "engine/ai", "engine/frontier", "engine/fetch", "engine/browser", "engine/crawl"],
  "engine/network-access": ["engine/browser", "engine/config", "engine/fetch"],
  "engine/app": ["analysis/score", "store", "engine/browser", "engine/config", "engine/crawl", "engine/fetch", "engine/network-access"],
  features: ["analysis", "store", "engine"],
  "interfaces/rest": ["analysis/url", "store", "engine", "features"],
  "interfaces/cli": ["analysis/url", "store", "engine", "features", "interfaces/rest"],
  "interfaces/library": ["analysis/url", "analysis/parse", "store", "engine", "features"],
  "interfaces/testing": ["analysis/url", "engine", "interfaces/library"],
  "interfaces/dashboard": [],
  index: ["analysis/extract", "store", "engine", "features", "interfaces/library"],
};

const MOST_FILES = 40;

const src = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));

const layerOf = (file: string) => file.split("/")[0]!.replace(/\.ts$/, "");

/** The module of a file: `core`, `store` and `features` are one module each. */
function moduleOf(file: string): string {
  const [layer, name] = file.split("/");
  const isWhole = layer === "core" || layer === "store" || layer === "features" || name === undefined;
  return isWhole ? layerOf(file) : `${layer}/${name.replace(/\.ts$/, "")}`;
}

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

/** The demo crawls the site of the tests. */
const isDemo = ({ from, to }: Import) => from === "interfaces/cli/commands/demo.ts" && to === "../test/site/index.ts";

const show = (wrong: readonly Import[]) => wrong.map(({ from, to }) => `${from} → ${to}`);

describe("the layers of src", () => {
  test("there are imports to check, and every module is in the table", () => {
    expect(imports.length).toBeGreaterThan(100);
    const modules = new Set(files.map(moduleOf).filter((module) => module !== "core"));
    expect([...modules].sort()).toEqual(Object.keys(mayImport).sort());
  });

  test("a layer imports only itself and the layers below it", () => {
    const place = (file: string) => (file === "index.ts" ? layers.length : layers.indexOf(layerOf(file) as (typeof layers)[number]));
    const wrong = imports.filter((one) => !isDemo(one) && (place(one.to) < 0 || place(one.to) > place(one.from)));
    expect(show(wrong)).toEqual([]);
  });

  test("a module imports only the modules it may", () => {
    const wrong = imports.filter((one) => {
      const [here, there] = [moduleOf(one.from), moduleOf(one.to)];
      if (isDemo(one) || here === there || there === "core") return false;
      return !mayImport[here]?.some((may) => may === there || there.startsWith(`${may}/`));
    });
    expect(show(wrong)).toEqual([]);
  });

  test("other modules import only the index of a module", () => {
    const wrong = imports.filter((one) => {
      const { from, to } = one;
      const module = moduleOf(to);
      if (isDemo(one) || moduleOf(from) === module || module === "core" || module === "features") return false;
      if (to === `${module}.ts` || to === `${module}/index.ts`) return false;
      // The configuration gathers the options of all modules.
      return !(moduleOf(from) === "engine/config" && to.endsWith("/options.ts"));
    });
    expect(show(wrong)).toEqual([]);
  });

  test(`no folder holds more than ${MOST_FILES} source files`, () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });

  test("no file imports itself through others", () => {
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

  test("analysis uses no clock, network, disk or environment, but for the assets that we ship and the default date of `extract`", () => {
    const outside =
      /\bDate\.now\(|new Date\(\)|process\.|from "node:(fs|net|http|https|dns|child_process|os)|\bfetch\(|setTimeout|Math\.random/;
    const wrong = files.filter((file) => layerOf(file) === "analysis" && outside.test(readFileSync(join(src, file), "utf8")));
    expect(wrong).toEqual(["analysis/extract/index.ts", "analysis/score/assets.ts"]);
  });

  test("reader threads do not load the schemas of options", () => {
    const reached = new Set<string>();
    const walk = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { from, to, isType } of imports) if (from === file && !isType) walk(to);
    };
    walk("engine/crawl/read/read-worker.ts");
    expect(reached.size).toBeGreaterThan(50);
    expect([...reached].filter((file) => file.endsWith("options.ts") || file === "core/units.ts")).toEqual([]);
  });
});
