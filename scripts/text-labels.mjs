// Which blocks of a page are its main text, told from the text that people wrote down for it.
const TOKEN = /[\p{L}\p{N}\p{M}_]+/gu;
const N = 4;

export const tokensOf = (text) => text.match(TOKEN) ?? [];

/** For each block how much of it belongs, 0–1, or -1 where nobody knows; and how many words it has. */
export function labelBlocks(texts, expected) {
  const tokens = texts.map(tokensOf);
  const sizes = tokens.map((each) => each.length);
  const labels = expected.text ? byText(texts, tokens, expected.text) : bySegments(texts, expected);
  return { labels, sizes };
}

/** A word belongs if it stands in a run of four that the expected text has too; runs go over the borders of blocks. Blocks that are said twice belong once. */
function byText(texts, tokens, text) {
  const want = tokensOf(text);
  const grams = new Map();
  for (let at = 0; at + N <= want.length; at += 1) push(grams, want.slice(at, at + N).join(" "), at);
  const flat = tokens.flat();
  const hit = new Uint8Array(flat.length);
  const where = new Int32Array(flat.length).fill(-1);
  for (let at = 0; at + N <= flat.length; at += 1) {
    const found = grams.get(flat.slice(at, at + N).join(" "));
    if (!found) continue;
    for (let by = 0; by < N; by += 1) hit[at + by] = 1;
    where[at] = found[0];
  }
  const lines = new Set(text.split("\n").map((line) => tokensOf(line).join(" ")));
  let start = 0;
  const labels = tokens.map((each) => {
    let sum = 0;
    for (let at = start; at < start + each.length; at += 1) sum += hit[at];
    start += each.length;
    if (each.length === 0) return -1;
    if (each.length < N && lines.has(each.join(" "))) return 1;
    return sum / each.length;
  });
  return dropTwins(texts, tokens, labels, text);
}

/** Of blocks that say the same, as many belong as the expected text has; those with more that belongs around them go first. */
function dropTwins(texts, tokens, labels, text) {
  const groups = new Map();
  texts.forEach((_each, at) => void (labels[at] > 0.5 && push(groups, tokens[at].join(" "), at)));
  const whole = ` ${tokensOf(text).join(" ")} `;
  for (const [key, places] of groups) {
    if (places.length < 2) continue;
    let count = 0;
    for (let at = whole.indexOf(` ${key} `); at >= 0; at = whole.indexOf(` ${key} `, at + key.length)) count += 1;
    if (count >= places.length) continue;
    const worth = (at) => {
      let sum = 0;
      for (let by = -6; by <= 6; by += 1)
        if (by !== 0) sum += ((labels[at + by] ?? 0) * Math.min(50, texts[at + by]?.length ?? 0)) / Math.abs(by);
      return sum;
    };
    const ranked = places.map((at) => [at, worth(at)]).sort((a, b) => b[1] - a[1]);
    for (const [at] of ranked.slice(Math.max(1, count))) labels[at] = 0;
  }
  return labels;
}

function bySegments(texts, { textWith = [], textWithout = [] }) {
  const fold = (text) => tokensOf(text).join(" ");
  const [has, hasNot] = [textWith, textWithout].map((list) => list.map(fold).filter((segment) => segment.length > 3));
  return texts.map(fold).map((text) => {
    if (has.some((segment) => text.includes(segment))) return 1;
    if (hasNot.some((segment) => text.includes(segment))) return 0;
    return -1;
  });
}

function push(map, key, value) {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
