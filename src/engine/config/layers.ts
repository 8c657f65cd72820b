import { isAbsolute, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { checkConfigFile, siteKey } from "./check.ts";
import { fields, fromText } from "./config.ts";
import { type ConfigFile, parseConfigFile } from "./read.ts";
import type { Layer } from "./resolve.ts";
import { type Environment, insertSecrets } from "./secrets.ts";
import { SetupError } from "./setup-error.ts";

/** Reads and validates a config file; `-` is standard input. */
export async function readConfigFile(path: string, stdin: Readable): Promise<ConfigFile> {
  const file = await parseConfigFile(path, stdin);
  await checkConfigFile(file);
  return file;
}

type Values = Readonly<Record<string, unknown>>;
type Site = Values & { readonly url: string };

const sitesOf = ({ content }: ConfigFile) => (content.sites ?? []) as readonly Site[];

/** Layers of a config file: top level, `defaults`, and the site to be crawled; each overrides the one before. */
export function fileLayers(file: ConfigFile, seeds: readonly string[], env: Environment): Layer[] {
  const { $schema: _, db: __, defaults = {}, sites: ___, ...top } = file.content;
  const layer = (from: string, values: Values): Layer => ({ from, values: resolveLocalValues(values, { from, folder: file.folder, env }) });
  const site = siteFor(file, seeds);
  return [
    layer(file.name, top),
    layer(`${file.name}, defaults`, defaults as Values),
    ...(site?.entry ? [layer(`${file.name}, sites[${sitesOf(file).indexOf(site.entry)}]`, site.options)] : []),
  ];
}

interface Found {
  readonly seed: string;
  readonly entry: Site | undefined;
  readonly options: Values;
}

function findSite(file: ConfigFile, seed: string): Found {
  const entry = sitesOf(file).find(({ url }) => siteKey(url) === siteKey(seed.trim()));
  const { url: _, ...options } = entry ?? { url: seed };
  return { seed, entry, options };
}

/** The site entry for the seeds. A run has one set of options, so all of its seeds must have the same. */
function siteFor(file: ConfigFile, seeds: readonly string[]): Found | undefined {
  const [first, ...others] = seeds.map((seed) => findSite(file, seed));
  const other = others.find(({ options }) => !isDeepStrictEqual(options, first?.options));
  if (first && other)
    throw new SetupError(
      `${file.name} has other options for ${other.seed} than for ${first.seed}, and a run has one set of them`,
      `crawl one after the other: nuthatch crawl ${first.seed} && nuthatch crawl ${other.seed}`,
    );
  return first;
}

/** Groups seeds that have the same options in the file and can share a run. */
export function seedGroups(file: ConfigFile, seeds: readonly string[]): string[][] {
  const groups: Found[][] = [];
  for (const found of seeds.map((seed) => findSite(file, seed))) {
    const group = groups.find(([first]) => isDeepStrictEqual(first?.options, found.options));
    if (group) group.push(found);
    else groups.push([found]);
  }
  return groups.map((group) => group.map(({ seed }) => seed));
}

/** Resolves options that are not stored with a run: secrets from the environment, and paths relative to the config file. */
function resolveLocalValues(values: Values, at: { from: string; folder: string; env: Environment }): Values {
  const local = fields.flatMap(({ key, isKept, isPath }): [string, unknown][] => {
    if (values[key] === undefined || isKept) return [];
    const value = insertSecrets(key, values[key], at.from, at.env);
    return [[key, isPath && typeof value === "string" ? relativeTo(at.folder, value) : value]];
  });
  return { ...values, ...Object.fromEntries(local) };
}

const relativeTo = (folder: string, path: string) => (isAbsolute(path) ? path : join(folder, path));

/** URLs of the sites in a config file, for `nuthatch crawl` without a URL. */
export const sitesIn = (file: ConfigFile): string[] => sitesOf(file).map(({ url }) => url);

/** The database in a config file: a path relative to it, or a PostgreSQL URL. */
export function dbIn({ folder, content: { db } }: ConfigFile): string | undefined {
  if (db === undefined) return undefined;
  return /^postgres(?:ql)?:\/\//i.test(String(db)) ? String(db) : resolve(folder, String(db));
}

/** The values that are not stored with a run: on resumption, secrets and options of this machine come from file and environment again. */
export function withoutStored(layers: readonly Layer[]): Layer[] {
  const unstoredKeys = new Set(fields.filter(({ isKept }) => !isKept).map(({ key }) => key));
  return layers.map((layer) => ({
    ...layer,
    values: Object.fromEntries(Object.entries(layer.values).filter(([key]) => unstoredKeys.has(key))),
  }));
}

/** Additional environment variables known from other tools; our own name takes precedence. */
const OTHER_NAMES = new Map([["enhance", "AUTO_ENHANCE_METADATA"]]);

const spelling = (name: string): string => (/^nuthatch/i.test(name) ? name.replaceAll("_", "").toLowerCase() : name);
const bySpelling = new Map(fields.map(({ env }) => [spelling(env), env]));

/**
 * NUTHATCH_MAX_DEPTH=3 and the like. Unknown variables with this prefix are ignored, because they may belong to other programs; but one
 * that differs from an option only in underscores or case is an error.
 */
export function envLayer(env: Environment): Layer {
  for (const name of Object.keys(env)) {
    const rightName = bySpelling.get(spelling(name));
    if (rightName !== undefined && rightName !== name)
      throw new SetupError(`${name} is no variable that is read (in the environment)`, `did you mean ${rightName}?`);
  }
  const values: Record<string, unknown> = {};
  const names = new Map<string, string>();
  for (const field of fields) {
    const name = [field.env, OTHER_NAMES.get(field.key) ?? field.env].find((each) => env[each] !== undefined);
    if (name === undefined) continue;
    names.set(field.key, name);
    values[field.key] = fromText(field, [env[name]!]);
  }
  return { from: "the environment", values, spell: (key) => names.get(key) ?? key };
}
