import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { fields, fromText, type Layer } from "./config.ts";
import { SetupError } from "./setup-error.ts";

const NAMES = ["nuthatch.config.json", "nuthatch.config.js", "nuthatch.config.mjs"];

/** The nearest config file, looking in this folder and then upward. */
export function findConfigFile(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found || folder === dirname(folder)) return found;
  }
}

export interface ConfigFile {
  /** As shown in errors. */
  readonly name: string;
  /** Paths in it begin here. */
  readonly folder: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** A config file by its name; `-` is JSON on standard input. */
export async function readConfigFile(path: string, stdin: Readable): Promise<ConfigFile> {
  const name = path === "-" ? "standard input" : path;
  const content = path === "-" ? parse(await text(stdin), name) : path.endsWith(".json") ? await readJson(path) : await importFile(path);
  if (!isRecord(content)) throw new SetupError(`${name} does not hold an object`, 'write { "maxDepth": 3 }');
  return { name, folder: path === "-" ? "." : dirname(path), content };
}

/** A config file holds options at its top, or under `defaults`, and per site under `sites: [{ url, … }]`. */
export function fileLayers({ name, content }: ConfigFile, sites: readonly string[]): Layer[] {
  const { db: _, defaults = {}, sites: own = [], ...top } = content;
  if (!isRecord(defaults)) throw new SetupError(`${name}: defaults must be an object`, 'write { "defaults": { "maxDepth": 3 } }');
  if (!Array.isArray(own)) throw new SetupError(`${name}: sites must be a list`, 'write { "sites": [{ "url": "https://…" }] }');
  const site = own.find((entry): entry is Record<string, unknown> => isRecord(entry) && sites.includes(String(entry.url)));
  const { url: __, ...siteValues } = site ?? {};
  return [
    { from: name, values: top },
    { from: name, values: defaults },
    { from: name, values: siteValues },
  ];
}

/** Sites named in a config file, for `nuthatch crawl` without a URL. */
export function sitesIn({ content: { sites } }: ConfigFile): string[] {
  return Array.isArray(sites) ? sites.flatMap((site) => (isRecord(site) && typeof site.url === "string" ? [site.url] : [])) : [];
}

/** The data file named in a config file, which lies where the config file lies. */
export function dbIn({ name, folder, content: { db } }: ConfigFile): string | undefined {
  if (db === undefined) return undefined;
  if (typeof db !== "string" || db === "") throw new SetupError(`${name}: db must be the name of a file`, 'write { "db": "site.db" }');
  return resolve(folder, db);
}

async function readJson(path: string): Promise<unknown> {
  const written = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new SetupError(`cannot read ${path}`, "check --config", { cause });
  });
  return parse(written, path);
}

function parse(written: string, name: string): unknown {
  try {
    return JSON.parse(written);
  } catch (cause) {
    throw new SetupError(`${name} is not JSON: ${(cause as Error).message}`, "check commas and quotes", { cause });
  }
}

async function importFile(path: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(resolve(path)).href)) as { default?: unknown }).default;
  } catch (cause) {
    throw new SetupError(`cannot load ${path}: ${(cause as Error).message}`, "the file must be an ES module with a default export", {
      cause,
    });
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** NUTHATCH_MAX_DEPTH=3 and the like. Variables of ours that name no option belong to somebody else. */
export function envLayer(env: Readonly<Record<string, string | undefined>>): Layer {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const given = env[field.env];
    if (given !== undefined) values[field.key] = fromText(field, [given]);
  }
  return { from: "the environment", values, spell: (key) => fields.find((field) => field.key === key)?.env ?? key };
}
