// npm run learn:text -- <folder> [--half a] [--dry]
// Learns which blocks of a page are its main text. Folds by site give an honest figure; then all pages make src/analysis/extract/learned/text.ts.
// Any setting of grow-forest.mjs can be given too: --trees 300 --depth 6.
import { viewPage } from "../dist/src/analysis/extract/page-view.js";
import { cutPage } from "../dist/src/analysis/extract/text/blocks.js";
import { choice } from "../dist/src/analysis/extract/text/select.js";
import { signNames } from "../dist/src/analysis/extract/text/sign-names.js";
import { signsOf } from "../dist/src/analysis/extract/text/signs.js";
import { smoothed } from "../dist/src/analysis/extract/text/smooth.js";
import { FOLDS, flags, foldOf, learnsFrom, openCases, writeLearned } from "./extract-cases.mjs";
import { growForest, judge } from "./grow-forest.mjs";
import { labelBlocks, tokensOf } from "./text-labels.mjs";

const { folder, half, dry, folds = FOLDS, without, to, ...given } = flags(process.argv.slice(2));
if (folder === undefined) {
  console.error("usage: npm run learn:text -- <folder with cases.jsonl> [--half a|b] [--folds 5] [--without <fold> --to <folder>] [--dry]");
  process.exit(2);
}
const settings = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)]));
const width = signNames.length;
const { cases, score, htmlOf } = await openCases(folder, { half });
const pages = cases.filter(({ expected }) => expected.text || expected.textWith?.length).map(pageOf);
console.log(`${pages.length} pages, ${pages.reduce((sum, { sizes }) => sum + sizes.length, 0)} blocks, ${width} signs`);

for (let fold = 0; without === undefined && fold < Number(folds); fold += 1) {
  const isOut = ({ one }) => foldOf(one.url, Number(folds)) === fold;
  const forest = grow(pages.filter((page) => !isOut(page)));
  for (const page of pages.filter(isOut))
    page.row = score.scorePage(page.one, { text: textOf(page, smoothed(page.blocks, judge(forest, page.signs, width))) });
}
if (without === undefined && Number(folds) > 1) report();
if (!dry) writeLearned("text", moduleOf(grow(pages.filter(({ one }) => learnsFrom(one, without)))), to);

function pageOf(one) {
  const view = viewPage(htmlOf(one), { url: one.url, now: Date.now() });
  const cut = cutPage(view.root);
  const texts = cut.blocks.map(({ text }) => text);
  const { labels, sizes } = labelBlocks(texts, one.expected);
  return {
    one,
    blocks: cut.blocks,
    signs: rowsOf(signsOf(view, cut)),
    labels,
    sizes,
    weights: weightsOf(one, labels, sizes),
  };
}

/** Signs come column by column, and are learned from row by row. */
function rowsOf({ count, values, least, greatest }) {
  const rows = new Float32Array(width * count);
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < width; column += 1)
      rows[row * width + column] = least[column] === greatest[column] ? least[column] : values[column * count + row];
  return rows;
}

/** A page counts as a page, whatever its length; a block counts by its words, and by the runs of words it breaks or joins. */
function weightsOf({ expected }, labels, sizes) {
  if (!expected.text) {
    const known = labels.filter((label) => label >= 0).length;
    return labels.map((label) => (label < 0 ? 0 : Math.min(0.1, 0.5 / known)));
  }
  const want = Math.max(40, tokensOf(expected.text).length);
  const weights = sizes.map((size, at) => (labels[at] < 0 ? 0 : Math.min(1, (size + 3) / want)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight * Math.min(1, 3 / total));
}

function grow(sample) {
  const kept = sample.flatMap((page) => page.labels.map((label, at) => ({ page, at, label })).filter(({ at }) => page.weights[at] > 0));
  const rows = new Float32Array(kept.length * width);
  for (const [to, { page, at }] of kept.entries()) rows.set(page.signs.subarray(at * width, (at + 1) * width), to * width);
  return growForest(
    { rows, width, labels: kept.map(({ label }) => label), weights: kept.map(({ page, at }) => page.weights[at]) },
    settings,
  );
}

function textOf({ blocks }, chances) {
  const { least } = choice(blocks, chances);
  return blocks
    .filter((_, at) => chances[at] >= least)
    .map(({ text }) => text)
    .join("\n");
}

function report() {
  console.log("pages by folds       pages  precision  recall     F1   segments F1");
  const figure = (label, group) => {
    const { text, segs } = score.aggregate(pages.filter(({ one }) => group(one)).map(({ row }) => row));
    const parts = [text?.precision, text?.recall, text?.f1, segs?.f1].map((value) => (value === undefined ? "-" : value.toFixed(3)));
    console.log(`${label.padEnd(20)} ${String(text?.n ?? segs.n).padStart(5)} ${parts.map((part) => part.padStart(9)).join(" ")}`);
  };
  figure("all", () => true);
  for (const dataset of new Set(pages.map(({ one }) => one.dataset))) figure(dataset, (one) => one.dataset === dataset);
  figure("wcxb other", (one) => one.dataset === "wcxb" && one.pageType !== "article");
  for (const type of new Set(pages.flatMap(({ one }) => one.pageType ?? []))) figure(`  ${type}`, (one) => one.pageType === type);
}

function moduleOf({ bias, trees }) {
  const lines = trees.map(
    ({ questions, answers }) =>
      `    "${questions.map(({ sign, above }) => `${signNames[sign]}>${above}`).join(" ")} = ${answers.join(" ")}",`,
  );
  return `// Made by \`npm run learn:text\`: how what is known of a block speaks for its being main text.\nimport type { LearnedForest } from "../text/forest.ts";\n\nexport const forest: LearnedForest = {\n  bias: ${bias},\n  trees: [\n${lines.join("\n")}\n  ],\n};\n`;
}
