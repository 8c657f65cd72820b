// node dist/bench/main.js <quick|full|scale> [--write] [--pages n] [--rounds n] [--only title]: rounds in turn, medians, a table; with --write also in docs/.
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBenchServer } from "../src/operations/bench-server.ts";
import { type Measured, measure, median } from "./measure.ts";
import { type Result, record, tableOf } from "./report.ts";
import { plans, type Scenario } from "./scenarios.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    pages: { type: "string" },
    rounds: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const [name = "quick"] = positionals;
const plan = plans[name];
if (!plan) throw new Error(`no plan ${name}; there are ${Object.keys(plans).join(", ")}`);

/** Everybody once, then everybody again, so that a busy minute of the machine is shared by all. */
async function play(scenario: Scenario): Promise<Result> {
  const { pages, hosts = 1, latency = 0, rounds, contenders } = scenario;
  const load = loadavg()[0]!;
  const server = await openBenchServer({ pages, hosts, latency });
  const measured = new Map<string, Measured[]>(contenders.map((contender) => [contender.name, []]));
  try {
    for (let round = 1; round <= rounds; round++) {
      const folders = new Map<string, string>();
      for (const contender of contenders) {
        const folder = folders.get(contender.after ?? "") ?? mkdtempSync(join(tmpdir(), "nuthatch-bench-"));
        folders.set(contender.name, folder);
        const one = await measure(contender.run(server.origins), { server, pages: pages * hosts, folder });
        measured.get(contender.name)!.push(one);
        process.stderr.write(
          `  round ${round}  ${contender.name}: ${one.pages} pages (says ${one.saysPages ?? "nothing"}), ${one.pagesPerSecond.toFixed(0)}/s, ${one.cpuPer1000.toFixed(2)} CPU s\n`,
        );
      }
      for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    await server.close();
  }
  const rows = contenders.map((contender) => ({
    name: contender.name,
    note: contender.note ?? "",
    isOurs: contender.isOurs,
    version: contender.version,
    command: contender.shown,
    ...median(measured.get(contender.name)!),
  }));
  return { title: scenario.title, plan: name, pages: pages * hosts, hosts, latency, rounds, load, at: new Date().toISOString(), rows };
}

for (const scenario of plan.filter(({ title }) => title.includes(values.only))) {
  const pages = values.pages === undefined ? scenario.pages : Math.ceil(Number(values.pages) / (scenario.hosts ?? 1));
  const rounds = values.rounds === undefined ? scenario.rounds : Number(values.rounds);
  process.stderr.write(`${scenario.title}\n`);
  const result = await play({ ...scenario, pages, rounds });
  process.stdout.write(`\n${scenario.title}\n\n${tableOf(result)}\n`);
  if (values.write) record(result);
}
