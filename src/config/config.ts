import { z } from "zod";
import { CrawlOptions } from "../crawl/options.ts";
import { FetchOptions } from "../fetch/options.ts";
import { FrontierOptions } from "../frontier/options.ts";
import { RecrawlOptions } from "../recrawl/options.ts";
import { RobotsOptions } from "../robots/options.ts";
import { UrlOptions } from "../url/options.ts";
import { SetupError } from "./setup-error.ts";
import { nearest } from "./suggest.ts";

/** Rooms are gathered here; flags, env, files, help and docs are all read off this one schema. */
const groups = {
  Scope: UrlOptions,
  Politeness: FrontierOptions,
  Robots: RobotsOptions,
  Fetching: FetchOptions,
  Incremental: RecrawlOptions,
  Run: CrawlOptions,
} as const;

export const Config = z.strictObject({
  ...UrlOptions.shape,
  ...FrontierOptions.shape,
  ...RobotsOptions.shape,
  ...FetchOptions.shape,
  ...RecrawlOptions.shape,
  ...CrawlOptions.shape,
});
export type Config = z.infer<typeof Config>;
/** Options as people write them: "10s", "none", and nothing where the default will do. */
export type ConfigInput = z.input<typeof Config>;

export interface Field {
  readonly key: string;
  readonly group: string;
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  readonly schema: z.ZodType;
  readonly kind: "boolean" | "list" | "object" | "value";
  /** As shown in help; empty when there is none. */
  readonly fallback: string;
  readonly choices: readonly string[];
  /** False for secrets, and for what is of this machine alone: neither is stored with a run. */
  readonly isKept: boolean;
}

/** The schema under its default. */
function innerOf(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional)
    inner = inner.unwrap() as z.ZodType;
  return inner;
}

function kindOf(inner: z.ZodType): Field["kind"] {
  if (inner instanceof z.ZodBoolean) return "boolean";
  if (inner instanceof z.ZodArray) return "list";
  return inner instanceof z.ZodObject ? "object" : "value";
}

function fallbackOf(schema: z.ZodType, kind: Field["kind"]): string {
  const value = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined;
  if (value === undefined || kind === "object") return "";
  if (value === Number.POSITIVE_INFINITY) return "none";
  if (Array.isArray(value)) return value.length > 4 ? `${value.slice(0, 3).join(",")},…` : value.join(",");
  return String(value);
}

function choicesOf(inner: z.ZodType): string[] {
  const item = inner instanceof z.ZodArray ? (inner.element as z.ZodType) : inner;
  return item instanceof z.ZodEnum ? item.options.map(String) : [];
}

export const fields: readonly Field[] = Object.entries(groups).flatMap(([group, { shape }]) =>
  Object.entries(shape as Record<string, z.ZodType>).map(([key, schema]) => {
    const inner = innerOf(schema);
    const kind = kindOf(inner);
    return {
      key,
      group,
      schema,
      kind,
      flag: `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      env: `NUTHATCH_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      help: schema.description ?? inner.description ?? "",
      fallback: fallbackOf(schema, kind),
      choices: choicesOf(inner),
      isKept: schema.meta()?.secret !== true && schema.meta()?.kept !== false,
    };
  }),
);

/** Globs and headers may hold commas; every other list may be written as one word with commas. */
const WHOLE = new Set(["include", "exclude", "header", "auth"]);

/** Text doors (flags, env) hand us strings. Lists are split; a number or boolean is read as JSON if the field wants it. */
export function fromText(field: Field, texts: readonly string[]): unknown {
  if (field.kind === "list")
    return WHOLE.has(field.key)
      ? texts
      : texts.flatMap((text) =>
          text
            .split(",")
            .map((word) => word.trim())
            .filter(Boolean),
        );
  const text = texts.at(-1) ?? "";
  if (field.schema.safeParse(text).success) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // not JSON: the schema will say what it wanted
  }
}

export interface Layer {
  /** Where its values were written, as shown in errors. */
  readonly from: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** How a key is spelt there. */
  readonly spell?: (key: string) => string;
}

/** Layers from weakest to strongest; the last that says something wins. */
export function resolveConfig(layers: readonly Layer[]): Config {
  const merged: Record<string, unknown> = {};
  const origin = new Map<string, Layer>();
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer.values)) {
      if (value === undefined) continue;
      if (!Object.hasOwn(Config.shape, key)) throw unknownKey(key, layer);
      merged[key] = value;
      origin.set(key, layer);
    }
  }
  const result = Config.safeParse(merged);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const key = String(issue.path[0] ?? "");
  const layer = origin.get(key);
  const name = layer?.spell?.(key) ?? key;
  const field = fields.find((known) => known.key === key);
  throw new SetupError(
    `${name}: ${wanted(issue)}${layer ? ` (in ${layer.from})` : ""}`,
    field ? `${field.flag}: ${field.help}` : "see nuthatch crawl --help",
  );
}

/** A union lists what each branch wanted; the last one, the written form, reads best. */
function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const texts = issue.errors.flatMap((branch) => branch.map((inner) => inner.message.replace(/^Invalid input: /, "")));
    return `expected ${[...new Set(texts)].map((text) => text.replace(/^expected /, "")).join(", or ")}`;
  }
  return issue.message.replace(/^Invalid (input|option): /, "");
}

function unknownKey(key: string, layer: Layer): SetupError {
  const near = nearest(key, Object.keys(Config.shape));
  return new SetupError(
    `unknown option ${key} in ${layer.from}`,
    near ? `did you mean ${layer.spell?.(near) ?? near}?` : "see nuthatch crawl --help",
  );
}

/** Options as plain JSON, in the form people write them, to be kept with a run and read back. */
export function plain(config: Config): Record<string, unknown> {
  const rateLimit = config.rateLimit === 0 ? "none" : `${1000 / config.rateLimit}/s`;
  const written = JSON.stringify({ ...config, rateLimit }, (_, value: unknown) => (value === Number.POSITIVE_INFINITY ? "none" : value));
  const options = JSON.parse(written) as Record<string, unknown>;
  for (const { key, isKept } of fields) if (!isKept) delete options[key];
  return options;
}
