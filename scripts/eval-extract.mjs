// npm run eval:extract -- <folder> [--half a|b] [--dataset x,y] [--misses title] [--cascade classic]
// Scores `extract(html, url)` of the built package on pages with known metadata. --misses lists what was got wrong; look at half a alone.
// At the end come tables, code and formulas in Markdown, on pages of our own.
import { extract } from "../dist/src/analysis/extract/index.js";
import { flags, openCases } from "./extract-cases.mjs";
import { markdownMeasures } from "./markdown-measures.mjs";

const { folder, half, dataset, misses, cascade } = flags(process.argv.slice(2));
if (folder === undefined) {
  console.error(
    "usage: npm run eval:extract -- <folder with cases.jsonl> [--half a|b] [--dataset x,y] [--misses <field>] [--cascade classic]",
  );
  process.exit(2);
}
const { cases, score, htmlOf } = await openCases(folder, { half, dataset });
for (const one of cases.slice(0, 100)) extract(htmlOf(one), one.url); // the first pages are read by code not yet compiled

const rows = [];
let cpu = 0;
let bytes = 0;
let slowest = 0;
let errors = 0;
for (const one of cases) {
  const html = htmlOf(one);
  const before = process.cpuUsage();
  let found = {};
  try {
    found = extract(html, one.url, { cascade: cascade ?? "weighed" });
  } catch (error) {
    errors += 1;
    console.error(`${one.id}: ${error.stack}`);
  }
  const { user, system } = process.cpuUsage(before);
  const took = (user + system) / 1000;
  cpu += took;
  bytes += html.length;
  slowest = Math.max(slowest, took);
  const row = score.scorePage(one, found);
  rows.push({ one, row });
  if (misses) tellMiss(one, found, row[misses]);
}

const wcxbOther = ({ one }) => one.dataset === "wcxb" && one.pageType !== "article";
const groups = [
  ["", () => true],
  ["aeb", ({ one }) => one.dataset === "aeb"],
  ["wcxb other", wcxbOther],
];
const f1 = (group) => score.aggregate(rows.filter(group).map(({ row }) => row));
const all = f1(() => true);
console.log(
  `${cases.length} pages${half ? ` of half ${half}` : ""}, ${errors} errors, ${(cpu / cases.length).toFixed(2)} ms CPU a page of ${Math.round(bytes / cases.length / 1000)} KB, slowest ${slowest.toFixed(0)} ms`,
);
console.log("field           pages  precision  recall     F1");
for (const [field, { n, precision, recall, f1: value }] of Object.entries(all)) {
  console.log(
    `${field.padEnd(14)} ${String(n).padStart(6)} ${precision.toFixed(3).padStart(10)} ${recall.toFixed(3).padStart(7)} ${value.toFixed(3).padStart(6)}`,
  );
}
for (const [name, group] of groups.slice(1)) {
  const { text } = f1(group);
  if (text)
    console.log(
      `text, ${name.padEnd(10)} ${String(text.n).padStart(4)} ${text.precision.toFixed(3).padStart(10)} ${text.recall.toFixed(3).padStart(7)} ${text.f1.toFixed(3).padStart(6)}`,
    );
}

for (const { name, of, mean } of await markdownMeasures())
  console.log(`${name.padEnd(16)} ${String(of).padStart(4)} ${mean.toFixed(3).padStart(26)}`);

function tellMiss(one, found, result) {
  const field = misses.replace("imageSoft", "image");
  if (!result || (result.p + result.r >= 1.9 && result.pred && result.exp) || (!result.pred && !result.exp)) return;
  const show = (value) => JSON.stringify(value ?? null).slice(0, 300);
  console.log(`${one.id} ${one.url}\n  want ${show(one.expected[field])}\n  got  ${show(found[field])}`);
}
