// Grows a forest of level trees by gradient boosting (logistic loss): each level of a tree asks one question of all rows, so a tree of five levels is
// five questions and 32 answers. No dependency, the same forest from the same rows.

const BINS = 32;
const WRONG = 0.12;
const OTHERS = 0.1;

/** rows: Float32Array of width numbers each; labels and weights for each row. */
export function growForest(
  { rows, width, labels, weights },
  { trees = 200, depth = 5, rate = 0.12, pull = 3, signs = 0.25, seed = 7 } = {},
) {
  const count = labels.length;
  const borders = Array.from({ length: width }, (_, sign) => bordersOf(rows, width, sign, count));
  const columns = borders.map((cuts, sign) => binned(rows, width, sign, count, cuts));
  const random = numbers(seed);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = labels.reduce((sum, label, at) => sum + label * weights[at], 0) / total;
  const bias = Math.log(mean / (1 - mean));
  const score = new Float64Array(count).fill(bias);
  const forest = [];
  const leaf = new Uint8Array(count);
  const [slope, bend] = [new Float32Array(count), new Float32Array(count)];
  const scale = count / total;
  for (let tree = 0; tree < trees; tree += 1) {
    for (let at = 0; at < count; at += 1) {
      const chance = 1 / (1 + Math.exp(-score[at]));
      slope[at] = (labels[at] - chance) * weights[at] * scale;
      bend[at] = Math.max(1e-6, chance * (1 - chance) * weights[at] * scale);
    }
    const taken = worthAsking(slope, bend, random);
    const sample = Uint32Array.from(taken);
    leaf.fill(0);
    const questions = [];
    for (let level = 0; level < depth; level += 1) {
      const asked = columns.map((_, sign) => sign).filter((sign) => borders[sign].length > 0 && random() < signs);
      const best = bestQuestion(asked, { columns, borders, sample, leaf, slope, bend, leaves: 1 << level, pull });
      if (!best) break;
      questions.push(best);
      const column = columns[best.sign];
      for (let at = 0; at < count; at += 1) leaf[at] = (leaf[at] << 1) | (column[at] > best.bin ? 1 : 0);
    }
    const [up, down] = [new Float64Array(1 << questions.length), new Float64Array(1 << questions.length)];
    for (const at of sample) {
      up[leaf[at]] += slope[at];
      down[leaf[at]] += bend[at];
    }
    const answers = [...up].map((sum, at) => Math.round((1000 * rate * sum) / (down[at] + pull)) / 1000);
    for (let at = 0; at < count; at += 1) score[at] += answers[leaf[at]];
    forest.push({ questions: questions.map(({ sign, bin }) => ({ sign, above: borders[sign][bin] })), answers });
  }
  return { bias: Math.round(1000 * bias) / 1000, trees: forest };
}

export function judge({ bias, trees }, rows, width) {
  const count = rows.length / width;
  const chances = new Float64Array(count);
  for (let row = 0; row < count; row += 1) {
    let sum = bias;
    for (const { questions, answers } of trees) {
      let leaf = 0;
      for (const { sign, above } of questions) leaf = (leaf << 1) | (rows[row * width + sign] > above ? 1 : 0);
      sum += answers[leaf];
    }
    chances[row] = 1 / (1 + Math.exp(-sum));
  }
  return chances;
}

/** All rows that are still judged wrongly, and a tenth of the others, each of which then speaks for ten. */
function worthAsking(slope, bend, random) {
  const probe = [];
  for (let at = 0; at < slope.length; at += 37) probe.push(Math.abs(slope[at]));
  probe.sort((a, b) => b - a);
  const bound = probe[Math.floor(WRONG * probe.length)];
  const taken = [];
  for (let at = 0; at < slope.length; at += 1) {
    const isWrong = Math.abs(slope[at]) >= bound;
    if (!isWrong && random() >= OTHERS) continue;
    if (!isWrong) {
      slope[at] /= OTHERS;
      bend[at] /= OTHERS;
    }
    taken.push(at);
  }
  return taken;
}

function bestQuestion(asked, { columns, borders, sample, leaf, slope, bend, leaves, pull }) {
  let best;
  const width = leaves * BINS;
  const [up, down] = [new Float64Array(width), new Float64Array(width)];
  for (const sign of asked) {
    const column = columns[sign];
    up.fill(0);
    down.fill(0);
    for (let each = 0; each < sample.length; each += 1) {
      const at = sample[each];
      const place = leaf[at] * BINS + column[at];
      up[place] += slope[at];
      down[place] += bend[at];
    }
    const gains = new Float64Array(borders[sign].length);
    for (let each = 0; each < leaves; each += 1) {
      let [allUp, allDown] = [0, 0];
      for (let bin = 0; bin < BINS; bin += 1) {
        allUp += up[each * BINS + bin];
        allDown += down[each * BINS + bin];
      }
      const whole = (allUp * allUp) / (allDown + pull);
      let [leftUp, leftDown] = [0, 0];
      for (let bin = 0; bin < gains.length; bin += 1) {
        leftUp += up[each * BINS + bin];
        leftDown += down[each * BINS + bin];
        const [rightUp, rightDown] = [allUp - leftUp, allDown - leftDown];
        gains[bin] += (leftUp * leftUp) / (leftDown + pull) + (rightUp * rightUp) / (rightDown + pull) - whole;
      }
    }
    for (let bin = 0; bin < gains.length; bin += 1) if (!best || gains[bin] > best.gain) best = { gain: gains[bin], sign, bin };
  }
  return best;
}

/** Where a sign's values are cut: between quantiles. */
function bordersOf(rows, width, sign, count) {
  const step = Math.max(1, Math.floor(count / 20_000));
  const values = [];
  for (let at = 0; at < count; at += step) values.push(rows[at * width + sign]);
  values.sort((a, b) => a - b);
  const cuts = new Set();
  for (let bin = 1; bin < BINS; bin += 1) {
    const at = Math.floor((bin * values.length) / BINS);
    const [low, high] = [values[at - 1], values[at]];
    if (high > low) cuts.add(short((low + high) / 2, low, high));
    else {
      const next = values.findIndex((value) => value > low);
      const before = values.indexOf(low);
      if (before > 0) cuts.add(short((values[before - 1] + low) / 2, values[before - 1], low));
      if (next > 0) cuts.add(short((low + values[next]) / 2, low, values[next]));
    }
  }
  return [...cuts].sort((a, b) => a - b).slice(0, BINS - 1);
}

/** As few figures as still tell the two apart. */
function short(value, low, high) {
  for (let figures = 2; figures < 8; figures += 1) {
    const rounded = Number(value.toPrecision(figures));
    if (rounded >= low && rounded < high) return rounded;
  }
  return value;
}

function binned(rows, width, sign, count, cuts) {
  const column = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) {
    const value = rows[at * width + sign];
    let [low, high] = [0, cuts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value > cuts[middle]) low = middle + 1;
      else high = middle;
    }
    column[at] = low;
  }
  return column;
}

function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
