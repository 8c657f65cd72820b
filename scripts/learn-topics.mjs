// npm run learn:extract -- <folder> topics [--half a] [--dry]
// A page has many topics, so they are learned in two steps: how far each sign speaks for a list (its label is the share of names on it that are
// right), then how far the lists that name a topic, and its own looks, speak for the topic. Five folds by site for an honest figure.
import { FOLDS, foldOf, halfOf, learnsFrom, openCases, writeLearned } from "./extract-cases.mjs";

const MOST = 10;
/** Pull of a weight towards zero: signs seen on few lists stay near it. */
const PULL = 2;

export async function learnTopics(folder, { half, dry, without, to }) {
  const load = (name) => import(`../dist/src/analysis/extract/${name}.js`);
  const [{ viewPage }, { mainTextOf }, { contextOf, storyOf }, { topicLists }, signs, { likelihood }, { topicKey }] = await Promise.all(
    ["page-view", "main-text", "topics/topics", "topics/topic-lists", "topics/topic-signs", "weigh", "topics/normalise-topic"].map(load),
  );
  const { cases, compare, htmlOf } = await openCases(folder);
  const plain = (name) => compare.norm(name).replace(/^#/, "").replace(/[-_]+/g, " ").trim();
  const pages = cases.filter(({ expected }) => "topics" in expected).map(readPage);

  function readPage(one) {
    const page = viewPage(htmlOf(one), { url: one.url, now: Date.now() });
    const context = contextOf(page, storyOf(page, mainTextOf(page, "weighed")));
    const wanted = new Set((one.expected.topics ?? []).map(plain));
    const lists = signs.listClues(topicLists(page), context);
    const isRight = (name) => wanted.has(plain(name));
    return { url: one.url, context, wanted, isRight, lists };
  }

  function learn(sample) {
    const lists = regress(
      sample.flatMap(({ lists: all, isRight }) =>
        all.map((list) => ({
          signs: { bias: 1, [`source:${list.source}`]: 1, ...list.signs },
          label: list.names.filter(({ name }) => isRight(name)).length / list.names.length,
          weight: 1,
        })),
      ),
    );
    const rows = sample.flatMap((page) =>
      signs.topicClues(page.lists, { weights: lists, least: 0 }, page.context).map((clue) => ({
        signs: { bias: 1, ...clue.signs },
        label: Number(page.isRight(clue.name)),
        weight: 1 / Math.sqrt(Math.max(page.wanted.size, page.wanted.size === 0 ? 3 : 1)),
      })),
    );
    const weights = { lists, topics: regress(rows) };
    const ranked = sample.map((page) => rank(page, weights));
    // Few bounds to choose from: what fits these pages best to the second digit fits others worse.
    let best;
    for (const least of [0.1, 0.15])
      for (const first of [0.15, 0.2])
        for (const share of [0, 0.3, 0.4, 0.5]) {
          const figure = f1(ranked.map((page) => take(page, { least, first, share }))).f1;
          if (best === undefined || figure > best.figure + 0.0005) best = { least, first, share, figure };
        }
    return { ...weights, ...best };
  }

  function rank(page, { lists, topics }) {
    const clues = signs.topicClues(page.lists, { weights: lists, least: 0 }, page.context);
    const names = clues.map((clue) => ({ name: clue.name, chance: likelihood({ source: "", signs: clue.signs }, { weights: topics }) }));
    return { ...page, names: names.sort((a, b) => b.chance - a.chance) };
  }

  function take({ names, wanted, isRight }, { least, first, share }) {
    const best = names[0]?.chance ?? 0;
    const taken = best < first ? [] : names.filter(({ chance }) => chance >= least && chance >= share * best).slice(0, MOST);
    return {
      taken: new Set(taken.map(({ name }) => topicKey(name))).size,
      right: taken.filter(({ name }) => isRight(name)).length,
      wanted: wanted.size,
    };
  }

  if (without !== undefined) {
    writeLearned("topics", moduleOf(learn(pages.filter((page) => learnsFrom(page, without)))), to);
    return;
  }
  const own = half === undefined ? pages : pages.filter(({ url }) => halfOf(url) === half);
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const learned = learn(own.filter(({ url }) => foldOf(url, FOLDS) !== fold));
    return own.filter(({ url }) => foldOf(url, FOLDS) === fold).map((page) => take(rank(page, learned), learned));
  });
  console.log(`${own.length} pages; five folds ${told(f1(folds.flat()))}`);
  const learned = learn(own);
  console.log(`learned from all of them: ${learned.figure.toFixed(3)} there, at ${learned.least}, ${learned.first}, ${learned.share}`);
  if (half !== undefined) {
    const other = pages.filter(({ url }) => halfOf(url) !== half);
    console.log(`on the ${other.length} pages of the other half ${told(f1(other.map((page) => take(rank(page, learned), learned))))}`);
  }
  for (const part of ["lists", "topics"]) {
    console.log(part);
    for (const [sign, weight] of Object.entries(learned[part]).sort((a, b) => b[1] - a[1]))
      console.log(`${weight.toFixed(2).padStart(7)}  ${sign}`);
  }
  if (!dry) writeLearned("topics", moduleOf(learned));
}

const told = ({ precision, recall, f1: value }) => `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${value.toFixed(3)}`;

/** As the comparison does: precision over pages with an answer, recall over pages with topics. */
function f1(outcomes) {
  const mean = (some, value) => some.reduce((sum, one) => sum + value(one), 0) / Math.max(1, some.length);
  const precision = mean(
    outcomes.filter(({ taken }) => taken > 0),
    ({ right, taken }) => right / taken,
  );
  const recall = mean(
    outcomes.filter(({ wanted }) => wanted > 0),
    ({ right, wanted }) => right / wanted,
  );
  return { precision, recall, f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0 };
}

/** Logistic regression by Newton's method: a few dozen signs, so each step solves a small system. */
function regress(rows) {
  const names = [...new Set(rows.flatMap(({ signs }) => Object.keys(signs)))];
  const place = new Map(names.map((name, at) => [name, at]));
  const filled = rows.map(({ signs, label, weight }) => ({
    cells: Object.entries(signs).flatMap(([name, value]) => (value === 0 ? [] : [[place.get(name), value]])),
    label,
    weight,
  }));
  let weights = new Float64Array(names.length);
  for (let round = 0; round < 20; round += 1) {
    const slope = weights.map((weight, at) => (names[at] === "bias" ? 0.001 : PULL) * weight);
    const curve = names.map((name, at) => {
      const row = new Float64Array(names.length);
      row[at] = name === "bias" ? 0.001 : PULL;
      return row;
    });
    for (const { cells, label, weight } of filled) {
      const chance = 1 / (1 + Math.exp(-cells.reduce((sum, [at, value]) => sum + weights[at] * value, 0)));
      const bend = weight * chance * (1 - chance);
      for (const [at, value] of cells) {
        slope[at] += weight * (chance - label) * value;
        for (const [other, otherValue] of cells) curve[at][other] += bend * value * otherValue;
      }
    }
    const step = solve(curve, slope);
    weights = weights.map((weight, at) => weight - step[at]);
    if (step.every((by) => Math.abs(by) < 1e-4)) break;
  }
  return Object.fromEntries(names.map((name, at) => [name, Math.round(100 * weights[at]) / 100]));
}

/** Gauss, with the matrix symmetric and positive: no pivot is zero. */
function solve(matrix, right) {
  const size = right.length;
  const value = Float64Array.from(right);
  for (let at = 0; at < size; at += 1) {
    for (let row = at + 1; row < size; row += 1) {
      const by = matrix[row][at] / matrix[at][at];
      if (by === 0) continue;
      for (let column = at; column < size; column += 1) matrix[row][column] -= by * matrix[at][column];
      value[row] -= by * value[at];
    }
  }
  for (let at = size - 1; at >= 0; at -= 1) {
    for (let column = at + 1; column < size; column += 1) value[at] -= matrix[at][column] * value[column];
    value[at] /= matrix[at][at];
  }
  return value;
}

function moduleOf({ lists, topics, least, first, share }) {
  const lines = (weights) =>
    Object.entries(weights)
      .filter(([, weight]) => weight !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([sign, weight]) => `    ${/^[a-z]\w*$/i.test(sign) ? sign : JSON.stringify(sign)}: ${weight},`)
      .join("\n");
  return `// Made by \`npm run learn:extract\`: how far each sign speaks for a list of topics, and for a topic.
import type { Weights } from "../weigh.ts";

export const lists: Weights = {
  weights: {
${lines(lists)}
  },
  least: 0,
};

/**
 * If the best topic is below \`first\`, there are none. Otherwise every topic of at least \`least\` and at least this share
 * of the best is taken.
 */
export const topics: Weights & { readonly first: number; readonly share: number } = {
  weights: {
${lines(topics)}
  },
  least: ${least},
  first: ${first},
  share: ${share},
};
`;
}
