// npm run bench -- [real|small|full|scale] [--write] [--rounds n] [--only words] [--pages n] [--pages-dir folder] [--coding
// gzip|br|identity] [--stages] measures the crawlers one after the other, in several rounds, and prints a table of medians; with --write
// also in docs/. npm run bench -- <known|turns|workers|workers-store|render|serve|export|focus|revisit> runs one of the other measurements.
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isMissing, isThere } from "./contenders.ts";
import { type Measured, measure, median } from "./measure.ts";
import { type Result, record, tableOf } from "./report.ts";
import { plans, type Scenario, type Wish } from "./scenarios.ts";
import { type Coding, codings } from "./web-server.ts";

const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  known: () => import("./known.ts"),
  turns: () => import("./turns.ts"),
  workers: () => import("./workers.ts"),
  "workers-store": () => import("./workers-store.ts"),
  render: () => import("./render.ts"),
  serve: () => import("./serve-load.ts"),
  export: () => import("./export.ts"),
  focus: () => import("./focus.ts"),
  revisit: () => import("./revisit.ts"),
};

const program = programs[process.argv[2] ?? ""];
if (program) {
  process.argv.splice(2, 1); // each program parses its own arguments
  await program();
} else await compare();

async function compare(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      write: { type: "boolean", default: false },
      stages: { type: "boolean", default: false },
      pages: { type: "string" },
      "pages-dir": { type: "string" },
      coding: { type: "string", default: "gzip" },
      rounds: { type: "string" },
      only: { type: "string", default: "" },
    },
  });
  const [name = "real"] = positionals;
  const plan = plans[name];
  if (!plan) throw new Error(`no plan ${name}; there are ${[...Object.keys(plans), ...Object.keys(programs)].join(", ")}`);
  if (!(values.coding in codings)) throw new Error(`--coding ${values.coding}: there are ${Object.keys(codings).join(", ")}`);
  const wish: Wish = {
    pages: values.pages === undefined ? undefined : Number(values.pages),
    pagesDir: values["pages-dir"],
    coding: values.coding as Coding,
  };
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (!values.stages)
    for (const scenario of plan.filter(({ title }) => title.includes(values.only))) {
      const result = await play({ ...scenario, rounds: rounds ?? scenario.rounds }, wish, name);
      process.stdout.write(`\n${result.title}: ${result.about}\n\n${tableOf(result)}\n`);
      if (values.write) record(result);
    }
  if (values.stages || name === "full") {
    const { measureStages } = await import("./stages.ts");
    await measureStages({ wish, rounds: rounds ?? 1, isWritten: values.write });
  }
}

/** Runs all contenders once per round, so that a busy minute of the machine affects all of them. */
async function play(scenario: Scenario, wish: Wish, plan: string): Promise<Result> {
  process.stderr.write(`${scenario.title}\n`);
  const found = scenario.contenders();
  const contenders = found.filter(isThere);
  const missing = found.filter(isMissing).map((one) => `${one.name}: ${one.missing}`);
  for (const line of missing) process.stderr.write(`  left out: ${line}\n`);
  const load = loadavg()[0]!;
  const site = await scenario.open(wish);
  const measured = new Map<string, Measured[]>(contenders.map((contender) => [contender.name, []]));
  try {
    for (let round = 1; round <= scenario.rounds; round++) {
      const folders = new Map<string, string>();
      for (const contender of contenders) {
        const folder = folders.get(contender.after ?? "") ?? mkdtempSync(join(tmpdir(), "nuthatch-bench-"));
        folders.set(contender.name, folder);
        const one = await measure(contender.run(site.task), { server: site, pages: site.pages, folder });
        measured.get(contender.name)!.push(one);
        process.stderr.write(
          `  round ${round}  ${contender.name}: ${one.pages} pages (says ${one.saysPages ?? "nothing"}), ${one.pagesPerSecond.toFixed(0)}/s, ${one.cpuMs.toFixed(2)} CPU ms a page${one.problem && `: ${one.problem}`}\n`,
        );
      }
      for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    await site.close();
  }
  const rows = contenders.map((contender) => ({
    name: contender.name,
    note: contender.note,
    isOurs: contender.isOurs,
    version: contender.version,
    command: shownCommand(contender.run({ ...site.task, seeds: ["<site>"], ...(site.task.ca && { ca: "<certificate>" }) })),
    ...median(measured.get(contender.name)!),
  }));
  const { title, rounds } = scenario;
  return { title, plan, about: site.about, rounds, load, at: new Date().toISOString(), rows, missing };
}

/** The command as typed by a person. */
function shownCommand({
  program: name,
  args,
  env = {},
}: {
  program: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}): string {
  const isNode = name === process.execPath;
  const words = isNode
    ? args.map((arg) => arg.replace(/^.*\/(bench\/peers\/)/, "node $1").replace(/^.*\/nuthatch\.js$/, "nuthatch"))
    : [name, ...args];
  const shown = words.map((word) => word.replace(/^.*\/(bench\/peers\/scrapy)/, "$1"));
  const at = shown.indexOf("--db");
  if (at >= 0) shown.splice(at, 4); // removes "--db bench.db --json --quiet"
  return [...Object.entries(env).map(([key, value]) => `${key}=${value}`), ...shown].join(" ");
}
