// npm run learn:text -- <folder> [--half a] [--dry]
// Learns which blocks of a page are its main text: one forest judges each block by itself, a second one knows what the first said of its surroundings.
// Five folds by site give an honest figure; then all pages make src/extract/learned/text.ts.
import { writeFileSync } from "node:fs";
import { viewPage } from "../dist/src/extract/page-view.js";
import { cutPage } from "../dist/src/extract/text/blocks.js";
import { secondNames, secondSignsOf } from "../dist/src/extract/text/second-signs.js";
import { choice } from "../dist/src/extract/text/select.js";
import { signNames, signsOf } from "../dist/src/extract/text/signs.js";
import { flags, foldOf, openCases } from "./extract-cases.mjs";
import { growForest, judge } from "./grow-forest.mjs";
import { labelBlocks, tokensOf } from "./text-labels.mjs";

const { folder, half, dry, second, only, ...rest } = flags(process.argv.slice(2));
const settings = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, Number(value)]));
const { cases, score, htmlOf } = await openCases(folder, { half });
const FOLDS = 5;
const pages = cases.filter(({ expected }) => expected.text || expected.textWith?.length).map(pageOf);
console.log(
  `${pages.length} pages, ${pages.reduce((sum, { sizes }) => sum + sizes.length, 0)} blocks, ${signNames.length} + ${secondNames.length} signs`,
);

if (!only) {
  const firsts = Array.from({ length: FOLDS }, (_, fold) => growFirst(pages.filter((page) => page.fold !== fold)));
  for (const page of pages) page.chances = judge(firsts[page.fold], page.signs, signNames.length);
  report("first forest", pages);
}
if (second) {
  for (const page of pages) page.second = withSecond(page);
  const seconds = Array.from({ length: FOLDS }, (_, fold) => growSecond(pages.filter((page) => page.fold !== fold)));
  for (const page of pages) page.final = judge(seconds[page.fold], page.second, page.second.length / page.sizes.length || 1);
  report("both forests", pages, "final");
}
if (!dry) writeFileSync(new URL("../src/extract/learned/text.ts", import.meta.url), moduleOf(growFirst(pages)));

function moduleOf({ bias, trees }) {
  const lines = trees.map(
    ({ questions, answers }) =>
      `    "${questions.map(({ sign, above }) => `${signNames[sign]}>${above}`).join(" ")} = ${answers.join(" ")}",`,
  );
  return `// Made by \`npm run learn:text\`: how what is known of a block speaks for its being main text.\nimport type { LearnedForest } from "../text/forest.ts";\n\nexport const forest: LearnedForest = {\n  bias: ${bias},\n  trees: [\n${lines.join("\n")}\n  ],\n};\n`;
}

function pageOf(one) {
  const view = viewPage(htmlOf(one), { url: one.url, now: Date.now() });
  const cut = cutPage(view.root);
  const texts = cut.blocks.map(({ text }) => text);
  const { labels, sizes } = labelBlocks(texts, one.expected);
  return {
    one,
    blocks: cut.blocks,
    signs: signsOf(view, cut),
    labels,
    sizes,
    weights: weightsOf(one, labels, sizes),
    fold: foldOf(one.url, FOLDS),
  };
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

function growFirst(sample) {
  return growForest(tableOf(sample, "signs", signNames.length), settings);
}

function growSecond(sample) {
  return growForest(tableOf(sample, "second", signNames.length + secondNames.length), { trees: 60, ...settings, seed: 11 });
}

function tableOf(sample, name, width) {
  const kept = sample.flatMap((page) => page.labels.map((label, at) => [page, at, label]).filter(([, at]) => page.weights[at] > 0));
  const rows = new Float32Array(kept.length * width);
  for (const [to, [page, at]] of kept.entries()) rows.set(page[name].subarray(at * width, (at + 1) * width), to * width);
  return { rows, width, labels: kept.map(([, , label]) => label), weights: kept.map(([page, at]) => page.weights[at]) };
}

function withSecond({ blocks, signs, chances }) {
  const [one, two] = [signNames.length, secondNames.length];
  const more = secondSignsOf(blocks, chances);
  const rows = new Float32Array(blocks.length * (one + two));
  for (let at = 0; at < blocks.length; at += 1) {
    rows.set(signs.subarray(at * one, (at + 1) * one), at * (one + two));
    rows.set(more.subarray(at * two, (at + 1) * two), at * (one + two) + one);
  }
  return rows;
}

function report(name, sample, key = "chances") {
  for (const strict of [0.9, 1, 1.1, 1.2, 1.3, 1.4]) figures(name, sample, key, strict);
}
function figures(name, sample, key, strict) {
  const rows = sample.map((page) => {
    const { promise } = choice(page.blocks, page[key]);
    const text = page.blocks
      .filter((_, at) => page[key][at] >= (promise / 2) * strict)
      .map((block) => block.text)
      .join("\n");
    return { one: page.one, row: score.scorePage(page.one, { text }) };
  });
  const figure = (label, group) => {
    const { text, segs } = score.aggregate(rows.filter(({ one }) => group(one)).map(({ row }) => row));
    const f = (x) => (x ? `${x.precision.toFixed(3)} ${x.recall.toFixed(3)} ${x.f1.toFixed(4)}` : "");
    console.log(
      `${name} ${label.padEnd(14)} ${String(text?.n ?? 0).padStart(4)}  ${f(text)}   segs ${segs?.n ?? 0} ${f(segs)} ${segs?.accuracy.toFixed(3) ?? ""}`,
    );
  };
  console.log("strict", strict);
  figure("all", () => true);

  for (const dataset of new Set(sample.map(({ one }) => one.dataset)))
    if (dataset !== "wcxb") figure(dataset, (one) => one.dataset === dataset);
  figure("wcxb articles", (one) => one.pageType === "article");
  figure("wcxb other", (one) => one.dataset === "wcxb" && one.pageType !== "article");
  for (const type of new Set(sample.map(({ one }) => one.pageType))) if (type) figure(` ${type}`, (one) => one.pageType === type);
}
