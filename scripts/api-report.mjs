// Writes docs/reference/api.md from the declarations that are published, for every entry of the package. With --check nothing is
// written: it fails if the page is stale, or if there is an `any` in what a user's compiler can reach.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readDeclarations, withoutWords } from "./declarations.mjs";

const { values, positionals } = parseArgs({ options: { check: { type: "boolean", default: false } }, allowPositionals: true });
const root = resolve(positionals[0] ?? dirname(dirname(fileURLToPath(import.meta.url))));
const page = join(root, "docs", "reference", "api.md");
const { name: packageName, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const modules = new Map();
function moduleAt(path) {
  if (!modules.has(path)) modules.set(path, readDeclarations(readFileSync(path, "utf8")));
  return modules.get(path);
}
const declarationsOf = (from, specifier) => resolve(dirname(from), specifier).replace(/\.ts$/, ".d.ts");

/** Where a name of a module is declared; undefined for what comes from another package. */
function find(path, name) {
  const { declared, linked, stars } = moduleAt(path);
  if (declared.has(name)) return { path, name };
  const link = linked.get(name);
  if (link) return link.from.startsWith(".") ? find(declarationsOf(path, link.from), link.name) : undefined;
  for (const star of stars) {
    const found = find(declarationsOf(path, star), name);
    if (found) return found;
  }
  return undefined;
}

/** Every name that an entry gives away, with the place it is declared. */
function exportsOf(path) {
  const { exported, stars } = moduleAt(path);
  const own = [...exported].map((name) => [name, find(path, name)]);
  return new Map([...stars.flatMap((star) => [...exportsOf(declarationsOf(path, star))]), ...own]);
}

/** The declarations that these ones name, and what those name in turn. */
function reach(places) {
  const reached = new Map();
  const queue = [...places];
  for (let place = queue.shift(); place; place = queue.shift()) {
    const id = `${place.path} ${place.name}`;
    if (reached.has(id)) continue;
    reached.set(id, place);
    const text = withoutWords(textOf(place));
    for (const [, from, name] of textOf(place).matchAll(/import\("(\.[^"]+)"\)\.(\w+)/g))
      queue.push(find(declarationsOf(place.path, from), name));
    for (const [word] of text.matchAll(/\b[A-Za-z]\w*\b/g)) {
      const found = isSchema(place) ? undefined : find(place.path, word);
      if (found) queue.push(found);
    }
  }
  return [...reached.values()];
}

const textOf = ({ path, name }) => moduleAt(path).declared.get(name);
/** Options are zod schemas; their types say little to a reader, and the options have a page of their own. */
const isSchema = (place) => /: z\.Zod/.test(textOf(place));

function show(place) {
  if (isSchema(place)) return `declare const ${place.name}: ZodSchema; // its options are described in their own reference`;
  return textOf(place)
    .replace(/^export /gm, "")
    .replace(/^declare (?!const)/gm, "")
    .replace(/import\("[^"]+"\)\./g, "")
    .replace(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2))
    .replace(/^ *#private;\n/gm, "");
}

const section = ([name, place]) => `### ${name}\n\n\`\`\`ts\n${show(place)}\n\`\`\`\n`;
/** What can be called comes before what it is called with. */
const isType = (place) => /^(export )?(interface|type) /.test(withoutWords(textOf(place)).trim());
const inOrder = ([a, one], [b, other]) => isType(one) - isType(other) || (a < b ? -1 : 1);

const entries = Object.entries(exports).filter(([, target]) => typeof target === "object");
const publicPlaces = entries.map(([entry, { types }]) => [entry, exportsOf(join(root, types))]);
const shown = new Set(publicPlaces.flatMap(([, names]) => [...names.values()].map(({ path, name }) => `${path} ${name}`)));
const all = reach(publicPlaces.flatMap(([, names]) => [...names.values()]));
const rest = all.filter(({ path, name }) => !shown.has(`${path} ${name}`));

const report = [
  "# Library API",
  "",
  `What \`${packageName}\` exports, as the compiler sees it. Written by \`npm run docs\`: change the program, not this page.`,
  "",
  ...publicPlaces.flatMap(([entry, names]) => [`## ${packageName}${entry.slice(1)}`, "", ...[...names].sort(inOrder).map(section)]),
  "## Types that these name",
  "",
  ...rest
    .map((place) => [place.name, place])
    .sort(inOrder)
    .map(section),
].join("\n");

const isLoose = (place) => /\bany\b(?!\s*\??:)/.test(withoutWords(textOf(place)));
const loose = all.filter(isLoose).map(({ path, name }) => `${name} (${relative(root, path)}) holds an any`);
const isStale = !existsSync(page) || readFileSync(page, "utf8") !== report;

if (values.check) {
  const problems = [...loose, ...(isStale ? ["docs/reference/api.md is out of date: npm run docs"] : [])];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else {
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, report);
}
