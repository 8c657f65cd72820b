// node dist/bench/revisit.js [--write] [--pages n] [--seeds n]: which visit policy keeps copies freshest; with --write also in
// docs/revisit.md.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { azar, fixed, guessing, lambdaCrawl, nutch, nuthatch, proportional, truth } from "./revisit-policies.ts";
import { makeWorld, type Policy, type Score, simulate, type Virtual } from "./revisit-world.ts";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    pages: { type: "string", default: "500" },
    seeds: { type: "string", default: "5" },
  },
});
const [pages, seeds] = [Number(values.pages), Number(values.seeds)];
const DAYS = 30;
/** Average visits per page and day. */
const BUDGETS = [0.3, 1, 3, 10];

type Make = (world: readonly Virtual[], visitsPerDay: number) => Policy;

const contenders: readonly [name: string, make: Make][] = [
  ["fixed: everything equally often", fixed],
  ["Nutch's rule: sooner after a change, later after none", nutch],
  ["proportional to the true rate", (world, budget) => proportional(truth(world), budget)],
  ["proportional to the estimated rate", (world, budget) => guessing(proportional, world.length, budget)],
  ["Azar, true rates", (world, budget) => azar(truth(world), budget)],
  ["Azar, estimated rates", (world, budget) => guessing(azar, world.length, budget)],
  ["LambdaCrawl, true rates", (world, budget) => lambdaCrawl(truth(world), budget)],
  ["LambdaCrawl, estimated rates", (world, budget) => guessing(lambdaCrawl, world.length, budget)],
  ["**nuthatch `--due`**", (world, budget) => nuthatch(world.length, budget)],
];

interface Mean {
  readonly freshness: number;
  readonly error: number;
  readonly useful: number;
  readonly delay: number;
  readonly starved: number;
}

const average = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function meanOf(scores: readonly Score[]): Mean {
  const fresh = scores.map(({ freshness }) => freshness);
  const freshness = average(fresh);
  const variance = fresh.reduce((sum, one) => sum + (one - freshness) ** 2, 0) / Math.max(1, fresh.length - 1);
  return {
    freshness,
    error: Math.sqrt(variance / fresh.length),
    useful: average(scores.map(({ useful }) => useful)),
    delay: average(scores.map(({ delay }) => delay)),
    starved: average(scores.map(({ starved }) => starved)),
  };
}

async function play(budget: number): Promise<string> {
  const rows: string[][] = [];
  for (const [name, make] of contenders) {
    const scores: Score[] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const world = makeWorld(pages, DAYS, seed);
      scores.push(await simulate(world, make(world, budget * pages), DAYS, budget * pages));
    }
    const { freshness, error, useful, delay, starved } = meanOf(scores);
    const hours = (delay * 24).toFixed(1);
    rows.push([name, `${freshness.toFixed(3)} ± ${error.toFixed(3)}`, `${Math.round(useful * 100)} %`, hours, starved.toFixed(0)]);
  }
  const header = ["", "freshness", "visits that met a change", "median delay, hours", "never visited again"];
  const lines = [header, ["---", "--:", "--:", "--:", "--:"], ...rows].map((row) => `| ${row.join(" | ")} |`);
  const pace = Math.round(86_400 / (budget * pages));
  return `## ${budget} visits a day for each page (a request every ${pace} s)\n\n${lines.join("\n")}\n`;
}

const about = `# When again: a simulation

Which plan of visits keeps the copies of a site freshest? ${pages} pages change by chance, each at a rate of its own, spread evenly over the powers between
once a year and once an hour. Everything was visited once; then ${DAYS} virtual days pass, with a budget of visits that politeness sets. The page that is most
overdue goes first. Freshness is the part of the time that our copy of a page was the site's, over all pages, as the mean of ${seeds} worlds with its standard error.
True rates are known to nobody; estimated ones are made by the crawler's own functions (\`src/analysis/recrawl\`) from what the plan's own visits met, once a day.
\`nuthatch --due\` is LambdaCrawl with estimated rates and the limits and the jitter of \`nuthatch crawl --due\`.

Made by \`npm run bench -- revisit --write\`; the numbers are the same on every machine. A small one of it runs with the tests (\`test/revisit-plans.test.ts\`).
`;

const tables: string[] = [];
for (const budget of BUDGETS) {
  tables.push(await play(budget));
  process.stdout.write(`${tables.at(-1)}\n`);
}
if (values.write) writeFileSync(fileURLToPath(new URL("../../docs/revisit.md", import.meta.url)), `${about}\n${tables.join("\n")}`);
