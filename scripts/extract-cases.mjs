// Pages with known metadata, from a folder outside this project, with the rules its own tool compares by.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { getDomain } from "tldts";

export async function openCases(folder, { half, dataset } = {}) {
  const tool = [join(folder, "..", "..", "tools", "extract-eval"), process.env.EXTRACT_EVAL].find((path) => path && existsSync(path));
  if (!tool) throw new Error(`no comparison rules beside ${folder}: name their folder in EXTRACT_EVAL`);
  const load = (name) => import(pathToFileURL(resolve(tool, name)).href);
  const [compare, score] = await Promise.all([load("compare.mjs"), load("score.mjs")]);
  const cases = readFileSync(join(folder, "cases.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((one) => half === undefined || halfOf(one.url) === half)
    .filter((one) => dataset === undefined || dataset.split(",").includes(one.dataset));
  return { cases, compare, score, htmlOf: ({ file }) => gunzipSync(readFileSync(join(folder, file))).toString("utf8") };
}

/** Pages of one site are in one half, so that what is learned on one half is tried on sites it has not seen. */
export const halfOf = (url) => (foldOf(url, 2) === 0 ? "a" : "b");

export function foldOf(url, folds) {
  let hash = 0x811c9dc5;
  for (const letter of getDomain(url) ?? url) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0;
  return (hash >>> 8) % folds;
}

/** Whether a page may be learned from: with `--without 2` those of that fold may not. */
export const learnsFrom = ({ url }, without) => without === undefined || foldOf(url, FOLDS) !== Number(without);

export const FOLDS = 5;

/** Writes what was learned into the sources, or as JavaScript into a folder `to` of a built package. */
export function writeLearned(name, text, to) {
  if (to === undefined) writeFileSync(new URL(`../src/analysis/extract/learned/${name}.ts`, import.meta.url), text);
  else
    writeFileSync(
      join(to, `${name}.js`),
      text.replace(/^import type .*\n/m, "").replace(/^export const (\w+): [^=]*=/gm, "export const $1 ="),
    );
}

export function flags(argv) {
  const [folder, ...rest] = argv;
  const given = {};
  for (let at = 0; at < rest.length; at += 1) {
    const name = rest[at].replace(/^--/, "");
    given[name] = rest[at + 1] === undefined || rest[at + 1].startsWith("--") ? true : rest[++at];
  }
  return { folder, ...given };
}
