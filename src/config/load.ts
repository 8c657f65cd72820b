import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
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

/** A config file holds options at its top, or under `defaults`, and per site under `sites: [{ url, … }]`. */
export async function fileLayers(path: string, sites: readonly string[]): Promise<Layer[]> {
  const content = await readConfig(path);
  const { defaults = {}, sites: own = [], ...top } = content;
  if (!isRecord(defaults)) throw new SetupError(`${path}: defaults must be an object`, 'write { "defaults": { "maxDepth": 3 } }');
  if (!Array.isArray(own)) throw new SetupError(`${path}: sites must be a list`, 'write { "sites": [{ "url": "https://…" }] }');
  const site = own.find((entry): entry is Record<string, unknown> => isRecord(entry) && sites.includes(String(entry.url)));
  const { url: _, ...siteValues } = site ?? {};
  return [
    { from: path, values: top },
    { from: path, values: defaults },
    { from: path, values: siteValues },
  ];
}

/** Sites named in a config file, for `nuthatch crawl` without a URL. */
export async function sitesIn(path: string): Promise<string[]> {
  const { sites } = await readConfig(path);
  return Array.isArray(sites) ? sites.flatMap((site) => (isRecord(site) && typeof site.url === "string" ? [site.url] : [])) : [];
}

async function readConfig(path: string): Promise<Record<string, unknown>> {
  const content = path.endsWith(".json") ? await readJson(path) : await importFile(path);
  if (!isRecord(content)) throw new SetupError(`${path} does not hold an object`, 'write { "maxDepth": 3 }');
  return content;
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new SetupError(`cannot read ${path}`, "check --config", { cause });
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SetupError(`${path} is not JSON: ${(cause as Error).message}`, "check commas and quotes", { cause });
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
    const text = env[field.env];
    if (text !== undefined) values[field.key] = fromText(field, [text]);
  }
  return { from: "the environment", values, spell: (key) => fields.find((field) => field.key === key)?.env ?? key };
}
