// Tables by the edit distance of their trees (TEDS), code and formulas by that of their letters, on pages of our own.
import { mainPart } from "../dist/src/features/fetch-page/page-forms.js";
import { cases } from "./markdown-cases.mjs";
import { alike, partsOf } from "./markdown-parts.mjs";
import { letters, signs } from "./markdown-truth.mjs";

/** The mean of each measure over all cases, from 0 to 1. */
export async function markdownMeasures() {
  const values = { "table TEDS": [], "code edit": [], "formula edit": [] };
  for (const { html, tables = [], codes = [], formulas = [] } of cases) {
    const body = { url: "http://ferry.test/", bytes: Buffer.from(html), contentType: "text/html; charset=utf-8" };
    const markdown = (await mainPart({ body, form: "markdown", title: undefined, repeated: undefined }))?.written ?? "";
    const parts = partsOf(markdown);
    const best = (candidates, like) => candidates.reduce((most, one) => Math.max(most, like(one)), 0);
    for (const table of tables) values["table TEDS"].push(best(tablesIn(markdown), (one) => teds(table, one)));
    for (const code of codes) values["code edit"].push(best(parts.codes, (lines) => alike(code, lines.join("\n"))));
    for (const formula of formulas) {
      const found = [...markdown.matchAll(/\$\$?([^$]+)\$/g)].map(([, tex]) => tex);
      values["formula edit"].push(best(found, (tex) => alike(signs(formula), signs(tex))));
    }
  }
  return Object.entries(values).map(([name, all]) => ({ name, of: all.length, mean: all.reduce((sum, one) => sum + one, 0) / all.length }));
}

/** The tables of a page as rows of cells, without the line below the header. */
function tablesIn(markdown) {
  const tables = [];
  let rows;
  for (const line of markdown.split("\n")) {
    if (!/^\s*\|.*\|$/.test(line)) rows = undefined;
    else if (!/^[\s|:-]+$/.test(line)) {
      if (rows === undefined) {
        rows = [];
        tables.push(rows);
      }
      rows.push(
        line
          .trim()
          .slice(1, -1)
          .split(/(?<!\\)\|/),
      );
    }
  }
  return tables;
}

/** Rows are only matched with rows and cells with cells, so the distance of the trees is that of two sequences within each other. */
function teds(wanted, found) {
  const nodes = (rows) => 1 + rows.reduce((sum, row) => sum + 1 + row.length, 0);
  const cellCost = (a, b) => 1 - alike(letters(a), letters(b));
  const rowCost = (a, b) => distance(a, b, cellCost, () => 1);
  return 1 - distance(wanted, found, rowCost, (row) => 1 + row.length) / Math.max(nodes(wanted), nodes(found));
}

function distance(left, right, change, size) {
  let row = [0];
  for (const one of right) row.push(row.at(-1) + size(one));
  for (const one of left) {
    const next = [row[0] + size(one)];
    right.forEach((other, at) => {
      next.push(Math.min(row[at + 1] + size(one), next[at] + size(other), row[at] + change(one, other)));
    });
    row = next;
  }
  return row.at(-1);
}
