// npm run eval:markdown -- <folder> [--every 5] [--dataset x,y] [--code] [--misses code]
// Scores the Markdown of the main part of pages: how much of their code, tables, lists, terms, footnotes, pictures and formulas is in it, and what is left in it that should not be.
// The folder holds cases.jsonl, or HTML files. --code takes only pages with code; --misses lists what was lost.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { mainPart } from "../dist/src/features/fetch-page/page-forms.js";
import { flags, openCases } from "./extract-cases.mjs";
import { alike, partsOf, plain } from "./markdown-parts.mjs";
import { letters, signs, truthOf } from "./markdown-truth.mjs";

const { folder, every = 1, dataset, code: onlyCode, misses } = flags(process.argv.slice(2));
if (folder === undefined) {
  console.error(
    "usage: npm run eval:markdown -- <folder with cases.jsonl or HTML files> [--every n] [--dataset x,y] [--code] [--misses <measure>]",
  );
  process.exit(2);
}

async function pagesIn() {
  if (existsSync(join(folder, "cases.jsonl"))) {
    const { cases, compare, htmlOf } = await openCases(folder, { dataset });
    const pages = cases.map((one) => ({ name: one.file, url: one.url, html: () => htmlOf(one), expected: one.expected.text ?? undefined }));
    return { pages: pages.filter(({ expected }) => expected), compare };
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.html?(?:\.gz)?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const read = (name) => {
    const bytes = readFileSync(join(folder, name));
    return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  };
  return { pages: files.map((name) => ({ name, url: `http://docs.test/${name.replaceAll("\\", "/")}`, html: () => read(name) })) };
}

function likeness(lines, codes, folded) {
  const wanted = signs(lines.join(""));
  if (folded.some((one) => one.includes(wanted))) return 1;
  const near = folded.filter((one, at) => codes[at].length > 0 && one.length > wanted.length / 3 && one.length < wanted.length * 3);
  return near.slice(0, 40).reduce((best, one) => Math.max(best, alike(wanted, one)), 0);
}

const KEPT = 0.98;
const totals = new Map();
const add = (measure, got, of) => {
  const sum = totals.get(measure) ?? { got: 0, of: 0 };
  totals.set(measure, { got: sum.got + got, of: sum.of + of });
};
const tell = (measure, page, what) => misses === measure && console.log(`${page.name}  ${what.slice(0, 140)}`);

const { pages, compare } = await pagesIn();
let [count, marks, dangling, chars] = [0, 0, 0, 0];
const f1 = [];
for (const page of pages.filter((_, at) => at % Number(every) === 0)) {
  const html = page.html();
  if (onlyCode && !/<pre[\s>]/i.test(html)) continue;
  const truth = truthOf(html, page.expected);
  if (onlyCode && truth.code.length === 0) continue;
  const body = { url: page.url, bytes: Buffer.from(html), contentType: "text/html; charset=utf-8" };
  const written = (form) => mainPart({ body, form, title: undefined, repeated: undefined });
  const markdown = (await written("markdown"))?.written ?? "";
  count += 1;
  chars += markdown.length;
  const parts = partsOf(markdown);
  const all = letters(plain(markdown));
  if (page.expected) {
    const [tp, fp, fn] = compare.shingle(page.expected, (await written("text"))?.written ?? "");
    f1.push([compare.pscore(tp, fp, fn), compare.rscore(tp, fp, fn)]);
  }

  const folded = parts.codes.map((code) => signs(code.join("")));
  for (const lines of truth.code) {
    const isInLine = lines.length === 1 && parts.spans.includes(signs(lines[0]));
    const like = isInLine ? 1 : likeness(lines, parts.codes, folded);
    add("code", Number(like >= KEPT), 1);
    add("code, edit distance", like, 1);
    if (like < KEPT) tell("code", page, `${like.toFixed(2)} ${JSON.stringify(lines.join("\n"))}`);
  }
  for (const cells of truth.tables.flat()) {
    const best = parts.rows.reduce((most, row) => Math.max(most, cells.filter((cell) => row.some((one) => one.includes(cell))).length), 0);
    const alone = cells.length === 1 && best === 0 && all.includes(cells[0]) ? 1 : best;
    add("table cells", alone, cells.length);
    if (alone < cells.length) tell("cells", page, `${alone} of ${cells.length} ${JSON.stringify(cells)}`);
  }
  const each = (measure, name, texts, isThere) => {
    for (const text of texts) {
      const is = isThere(text);
      add(measure, Number(is), 1);
      if (!is) tell(name, page, text);
    }
  };
  each("list items", "items", truth.items, (item) => parts.items.includes(item.slice(0, 80)));
  each(
    "terms",
    "terms",
    truth.terms.filter(({ name }) => name === "dt").map(({ text }) => text),
    (text) => all.includes(text),
  );
  each(
    "definitions",
    "definitions",
    truth.terms.filter(({ name }) => name === "dd").map(({ text }) => text),
    (text) => all.includes(text.slice(0, 80)),
  );
  each("footnotes", "notes", truth.notes, (note) => all.includes(note.slice(0, 60)));
  each("alt texts", "alts", truth.alts, (alt) => all.includes(alt));
  const tex = signs(markdown);
  each(
    "formulas",
    "formulas",
    truth.formulas,
    (formula) => tex.includes(signs(formula).replace(/</g, "\\lt")) || tex.includes(signs(formula)),
  );
  const left =
    markdown.match(/\[(?:\\?[#¶§\u200b🔗]|\s)*\]\([^)]*\)|^#{1,6} .*[¶§\u200b]\s*$/gmu)?.filter((mark) => !/^\[\s*\]/.test(mark)) ?? [];
  marks += left.length;
  for (const mark of left) tell("marks", page, mark);
  parts.lines
    .filter((line) => line.trim() !== "")
    .forEach((line, at, lines) => {
      if (!/^#{1,6} /.test(line)) return;
      const next = lines[at + 1];
      const isEmpty = next === undefined || (/^#{1,6} /.test(next) && next.indexOf(" ") <= line.indexOf(" "));
      if (!isEmpty || !truth.headings.has(letters(plain(line)))) return;
      dangling += 1;
      tell("headings", page, line);
    });
}

console.log(
  `${count} pages, ${Math.round(chars / 1000)} KB of Markdown, permalink marks left ${marks}, headings that lost their content ${dangling}`,
);
if (f1.length > 0) {
  const mean = (at) => f1.reduce((sum, one) => sum + one[at], 0) / f1.length;
  const [precision, recall] = [mean(0), mean(1)];
  console.log(
    `text F1 ${((2 * precision * recall) / (precision + recall)).toFixed(4)} (precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)})`,
  );
}
console.log("measure                  of   kept %");
for (const [measure, { got, of }] of totals)
  console.log(`${measure.padEnd(20)} ${String(of).padStart(6)} ${((100 * got) / of).toFixed(1).padStart(8)}`);
