// npm run learn:extract -- <folder> <field> [--half a] [--without <fold> --to <folder>] [--dry]
// Learns how far each sign of a clue speaks for it: logistic regression on pages with known values, five folds by site for an honest figure,
// then all of the pages for src/analysis/extract/learned/<field>.ts.
import { FOLDS, flags, foldOf, learnsFrom, openCases, writeLearned } from "./extract-cases.mjs";

const fields = {
  title: {
    least: 0.05, // the name of a site, where all else was refused, is no title
    module: "title/title",
    clues: "titleClues",
    within: 10,
    expected: "title",
    right: (compare) => (value, want) => Number(compare.titleEq(value, want)),
  },
  description: {
    module: "description/description",
    clues: "descriptionClues",
    within: 10,
    expected: "description",
    right: (compare) => (value, want) => Number(compare.descEq(value, want)),
  },
  image: {
    module: "image/image",
    clues: "imageClues",
    within: 10,
    expected: "image",
    right: (compare) => (value, want, url) => Number(compare.imgSoft(value, want, url)),
  },
  author: {
    module: "people/author",
    clues: "authorClues",
    expected: "author",
    onPages: 4, // signs seen on fewer teach nothing
    crowd: 6, // the clues of a page count as so many at most, or pages with long lists would teach the most
    right: (compare) => (value, want) => f1Of(compare.authorPR(value, want)),
  },
  publishedAt: {
    module: "dates/dates",
    clues: "publishedClues",
    expected: "publishedAt",
    onPages: 4,
    crowd: 4,
    pull: 5, // many signs, each seen on few pages
    right: (compare) => (value, want) => Number(compare.dateEq(value, want)),
  },
};

const [folder, name, ...rest] = process.argv.slice(2);
if (name === "topics") {
  const { learnTopics } = await import("./learn-topics.mjs");
  await learnTopics(folder, flags([folder, ...rest]));
  process.exit(0);
}
const field = fields[name];
if (!field) {
  console.error(
    `usage: npm run learn:extract -- <folder with cases.jsonl> <${[...Object.keys(fields), "topics"].join("|")}> [--half a] [--without <fold> --to <folder>] [--dry]`,
  );
  process.exit(2);
}
const { half, dry, without, to } = flags([folder, ...rest]);
const { viewPage } = await import("../dist/src/analysis/extract/page-view.js");
const { choose, likelihood } = await import("../dist/src/analysis/extract/weigh.js");
const cluesOf = (await import(`../dist/src/analysis/extract/${field.module}.js`))[field.clues];
const { cases, compare, htmlOf } = await openCases(folder, { half });
const right = field.right(compare);
const now = Date.now();
const pages = cases
  .filter(({ expected }) => field.expected in expected)
  .map((one) => {
    const want = one.expected[field.expected];
    const clues = cluesOf(viewPage(htmlOf(one), { url: one.url, now })).filter(({ rejected }) => rejected === undefined);
    const labels = clues.map(({ value }) => (want === null ? 0 : right(value, want, one.url)));
    return { url: one.url, isThere: want !== null, clues, labels };
  });

const learned = learn(pages.filter((page) => learnsFrom(page, without)));
if (without === undefined) report();
if (!dry) writeLearned(name === "publishedAt" ? "published-at" : name, moduleOf(learned), to);

function report() {
  const parts = Array.from({ length: FOLDS }, (_, fold) => {
    const others = learn(pages.filter((page) => learnsFrom(page, fold)));
    return pages.filter(({ url }) => foldOf(url, FOLDS) === fold).map((page) => outcome(page, others));
  });
  const oracle = pages.filter(({ labels }) => labels.some((label) => label > 0.5)).length / pages.filter(({ isThere }) => isThere).length;
  console.log(
    `${pages.length} pages; five folds F1 ${f1(parts.flat()).toFixed(3)}, learned from all ${f1(pages.map((page) => outcome(page, learned))).toFixed(3)}, some clue right on ${(100 * oracle).toFixed(1)} %`,
  );
  for (const [sign, weight] of Object.entries(learned.weights).sort((a, b) => b[1] - a[1]))
    console.log(`${weight.toFixed(2).padStart(7)}  ${sign}`);
}

function learn(sample) {
  const pagesWith = new Map();
  for (const { clues } of sample)
    for (const sign of new Set(clues.flatMap((clue) => signsOf(clue).map(([name]) => name))))
      pagesWith.set(sign, (pagesWith.get(sign) ?? 0) + 1);
  const rows = sample.flatMap(({ clues, labels }) =>
    clues.map((clue, at) => ({
      signs: signsOf(clue).filter(([sign]) => pagesWith.get(sign) >= (field.onPages ?? 1)),
      label: labels[at],
      share: Math.min(1, (field.crowd ?? clues.length) / clues.length),
    })),
  );
  const weights = regress(rows, placesOf(sample), field.within ?? 0);
  const thresholds = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6].filter((each) => each >= (field.least ?? 0));
  const tried = thresholds.map((least) => ({ weights, least, figure: f1(sample.map((page) => outcome(page, { weights, least }))) }));
  const { least } = tried.reduce((best, one) => (one.figure > best.figure + 0.001 ? one : best));
  return { weights, least };
}

function outcome({ clues, labels, isThere }, learned) {
  const { value } = choose(clues, learned);
  const at =
    value === null
      ? -1
      : clues.reduce(
          (best, clue, place) =>
            clue.value === value && (best < 0 || likelihood(clue, learned) > likelihood(clues[best], learned)) ? place : best,
          -1,
        );
  return { predicted: value !== null, expected: isThere, right: at < 0 ? 0 : labels[at] };
}

function f1(outcomes) {
  const sum = outcomes.reduce((total, { right: part }) => total + part, 0);
  const precision = sum / Math.max(1, outcomes.filter(({ predicted }) => predicted).length);
  const recall = sum / Math.max(1, outcomes.filter(({ expected }) => expected).length);
  return f1Of({ p: precision, r: recall });
}

function f1Of({ p, r }) {
  return p + r > 0 ? (2 * p * r) / (p + r) : 0;
}

function signsOf({ source, signs }) {
  return [["bias", 1], [`source:${source}`, 1], ...Object.entries(signs)];
}

/** Where each page's clues begin and end among all rows. */
function placesOf(sample) {
  let end = 0;
  return sample.map(({ clues, labels }) => {
    end += clues.length;
    return { start: end - clues.length, end, isRight: labels.some((label) => label > 0) };
  });
}

/** How far the clues of each page that has a right one are from having it before the others (softmax over the page). */
function addRanking(errors, scores, rows, pages, strength) {
  for (const { start, end, isRight } of pages) {
    if (!isRight) continue;
    const highest = scores.subarray(start, end).reduce((a, b) => Math.max(a, b), -Infinity);
    const shares = scores.subarray(start, end).map((score) => Math.exp(score - highest));
    const all = shares.reduce((a, b) => a + b);
    const right = shares.reduce((sum, share, at) => sum + share * rows[start + at].label, 0);
    for (let at = start; at < end; at += 1) errors[at] += strength * shares[at - start] * (1 / all - rows[at].label / right);
  }
}

/**
 * Gradient descent with momentum and a pull towards zero; signs that are seen on few clues stay near it. A clue is to be likely if it is right; where
 * `within` is given, it counts that much more that it comes before the others of its page.
 */
function regress(rows, pages, within) {
  const names = [...new Set(rows.flatMap(({ signs }) => signs.map(([sign]) => sign)))];
  const places = new Map(names.map((name, place) => [name, place]));
  const at = rows.map(({ signs }) => Int32Array.from(signs, ([sign]) => places.get(sign)));
  const strengths = rows.map(({ signs }) => Float64Array.from(signs, ([, strength]) => strength));
  const weights = new Float64Array(names.length);
  const speed = new Float64Array(names.length);
  const scores = new Float64Array(rows.length);
  const pull = field.pull ?? 2 * Math.max(1, within);
  const total = rows.length + within * pages.length;
  for (let round = 0; round < (within > 0 ? 800 : 400); round += 1) {
    const slope = weights.map((weight, place) => (names[place] === "bias" ? 0 : (pull * weight) / total));
    for (let row = 0; row < rows.length; row += 1) {
      scores[row] = 0;
      for (let sign = 0; sign < at[row].length; sign += 1) scores[row] += weights[at[row][sign]] * strengths[row][sign];
    }
    const errors = scores.map((score, row) => rows[row].share * (1 / (1 + Math.exp(-score)) - rows[row].label));
    if (within > 0) addRanking(errors, scores, rows, pages, within);
    for (let row = 0; row < rows.length; row += 1) {
      const error = errors[row] / total;
      for (let sign = 0; sign < at[row].length; sign += 1) slope[at[row][sign]] += error * strengths[row][sign];
    }
    for (let place = 0; place < names.length; place += 1) {
      speed[place] = 0.9 * speed[place] - slope[place];
      weights[place] += speed[place];
    }
  }
  return Object.fromEntries(names.map((sign, place) => [sign, Math.round(100 * weights[place]) / 100]));
}

function moduleOf({ weights, least }) {
  const lines = Object.entries(weights)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([sign, weight]) => `    ${/^[a-z]\w*$/i.test(sign) ? sign : JSON.stringify(sign)}: ${weight},`);
  return `// Made by \`npm run learn:extract\`: how far each sign speaks for a value of this field.\nimport type { Weights } from "../weigh.ts";\n\nexport const weights: Weights = {\n  weights: {\n${lines.join("\n")}\n  },\n  least: ${least},\n};\n`;
}
