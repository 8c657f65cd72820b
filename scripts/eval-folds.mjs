// npm run eval:folds -- <folder> [--fields title,text] [--held 3,4]
// The honest figures of the whole extraction: for each fold a copy of the built package learns from the pages of all other sites, and reads the pages of
// the fold. --fields learns only these anew. --held also prints the figures of these folds alone, for changes that were made without looking at them.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { FOLDS, flags, foldOf, openCases } from "./extract-cases.mjs";

const { folder, fields = "title,description,image,author,publishedAt,topics,text", held } = flags(process.argv.slice(2));
if (folder === undefined) {
  console.error("usage: npm run eval:folds -- <folder with cases.jsonl> [--fields title,text] [--held 3,4]");
  process.exit(2);
}
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { cases, score, htmlOf } = await openCases(folder);
const rows = [];
for (let fold = 0; fold < FOLDS; fold += 1) {
  const { extract } = await import(pathToFileURL(`${learnedWithout(fold)}/analysis/extract/index.js`).href);
  for (const one of cases.filter(({ url }) => foldOf(url, FOLDS) === fold)) {
    const html = htmlOf(one);
    rows.push({ one, fold, row: score.scorePage(one, extract(html, one.url)), hasCode: /<pre\b/i.test(html) });
  }
}
report("all folds", () => true);
if (held !== undefined) {
  const isHeld = ({ fold }) => String(held).split(",").map(Number).includes(fold);
  report(`folds ${held}`, isHeld);
  report("the other folds", (one) => !isHeld(one));
}
report("documentation with <pre>", ({ one, hasCode }) => one.pageType === "documentation" && hasCode);
rmSync(here("../dist/folds"), { recursive: true, force: true });

/** A copy of the built package whose weights have not seen the fold. */
function learnedWithout(fold) {
  const copy = here(`../dist/folds/${fold}`);
  mkdirSync(copy, { recursive: true });
  cpSync(here("../dist/src"), copy, { recursive: true });
  const options = ["--without", String(fold), "--to", `${copy}/analysis/extract/learned`];
  for (const field of fields.split(",")) {
    const script = field === "text" ? [here("learn-text.mjs"), folder] : [here("learn-extract.mjs"), folder, field];
    execFileSync(process.execPath, [...script, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return copy;
}

function report(name, group) {
  console.log(name);
  for (const [field, { n, precision, recall, f1 }] of Object.entries(score.aggregate(rows.filter(group).map(({ row }) => row))))
    console.log(
      `  ${field.padEnd(14)} ${String(n).padStart(6)} ${precision.toFixed(3).padStart(10)} ${recall.toFixed(3).padStart(7)} ${f1.toFixed(4).padStart(7)}`,
    );
}
