// npm run eval:structured -- <folder> [--half a|b] [--misses microdata]
// Compares what we read of JSON-LD, microdata, RDFa and Open Graph with what is known of the pages in <folder>/extruct, value by value.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { extractWithSources } from "../dist/src/analysis/extract/index.js";
import { flags } from "./extract-cases.mjs";

const { folder, half, misses } = flags(process.argv.slice(2));
if (folder === undefined) {
  console.error("usage: npm run eval:structured -- <folder with extruct/cases.jsonl> [--half a|b] [--misses <syntax>]");
  process.exit(2);
}
const cases = readFileSync(join(folder, "extruct", "cases.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  .filter((_, at) => half === undefined || (at % 2 === 0 ? "a" : "b") === half);

/** Their names for the syntaxes, and the same facts in ours. */
const ours = { "json-ld": "jsonld", microdata: "microdata", rdfa: "rdfa", opengraph: "opengraph" };
const wrappers = new Set(["properties", "items", "value"]);
const tally = new Map();

for (const one of cases) {
  const html = gunzipSync(readFileSync(join(folder, one.file))).toString("utf8");
  const { structured } = extractWithSources(html, one.url);
  const { mixed, ...expected } = one.expected.structured;
  for (const [syntax, value] of Object.entries({ ...expected, ...mixed })) {
    if (!(syntax in ours)) continue;
    const isPairs = syntax === "opengraph";
    const want = factsIn(isPairs ? value.flatMap(({ properties }) => properties.map((pair) => pair.join(" "))) : value, one.url);
    const got = factsIn(isPairs ? pairsOf(structured.opengraph) : structured[ours[syntax]], one.url);
    const both = [...want].filter((fact) => got.has(fact)).length;
    const sums = tally.get(syntax) ?? { pages: 0, whole: 0, want: 0, got: 0, both: 0 };
    sums.pages += 1;
    sums.whole += both === want.size && both === got.size ? 1 : 0;
    sums.want += want.size;
    sums.got += got.size;
    sums.both += both;
    tally.set(syntax, sums);
    if (misses === syntax) tell(one.id, want, got);
  }
}

console.log("syntax       pages  whole   facts  found  right");
for (const [syntax, { pages, whole, want, got, both }] of tally)
  console.log(`${syntax.padEnd(12)} ${[pages, whole, want, got, both].map((count) => String(count).padStart(6)).join(" ")}`);

/** Every text of a document with the names that lead to it; lists, wrappers and white space say nothing. */
function factsIn(value, url, path = "", facts = new Set()) {
  if (Array.isArray(value)) for (const each of value) factsIn(each, url, path, facts);
  else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value)) factsIn(each, url, wrappers.has(name) ? path : `${path}/${name}`, facts);
  } else if (value !== null && value !== "") facts.add(`${path} ${absolute(String(value).replace(/\s+/g, " ").trim(), url)}`);
  return facts;
}

function absolute(text, url) {
  return /^(?:\.{0,2}\/|[\w-]+\.(?:html?|jpe?g|png|gif)$)/.test(text) && URL.canParse(text, url) ? new URL(text, url).href : text;
}

/** Name and value in one, the form the known facts are in. */
function pairsOf(opengraph) {
  return Object.entries(opengraph).flatMap(([name, values]) =>
    values.flatMap((value) =>
      typeof value === "string"
        ? [`${name.includes(":") ? name : `og:${name}`} ${value}`]
        : Object.entries(value).map(([detail, text]) => `og:${name}${detail === "url" ? "" : `:${detail}`} ${text}`),
    ),
  );
}

function tell(id, want, got) {
  console.log(id);
  for (const fact of want) if (!got.has(fact)) console.log(`  missing ${fact.slice(0, 200)}`);
  for (const fact of got) if (!want.has(fact)) console.log(`  extra   ${fact.slice(0, 200)}`);
}
