import { z } from "zod";
import { MetadataOptions } from "../../analysis/extract/options.ts";
import { RecrawlOptions } from "../../analysis/recrawl/options.ts";
import { RobotsOptions } from "../../analysis/robots/options.ts";
import { ScoreOptions } from "../../analysis/score/options.ts";
import { UrlOptions } from "../../analysis/url/options.ts";
import { withTimeUnits } from "../../core/units.ts";
import { AiOptions } from "../ai/options.ts";
import { BrowserOptions } from "../browser/options.ts";
import { CrawlOptions } from "../crawl/options.ts";
import { FetchOptions } from "../fetch/options.ts";
import { FrontierOptions } from "../frontier/options.ts";
import { PresetOptions } from "./presets.ts";

/** All option groups. Flags, environment, config file, help and docs are derived from this one schema. */
const groups = {
  Preset: PresetOptions,
  Scope: UrlOptions,
  Politeness: FrontierOptions,
  Robots: RobotsOptions,
  Fetching: FetchOptions,
  Rendering: BrowserOptions,
  Incremental: RecrawlOptions,
  Relevance: ScoreOptions,
  Metadata: MetadataOptions,
  Model: AiOptions,
  Run: CrawlOptions,
} as const;

/** Kept with a run, but not an option: people cannot set it. */
const StoredOnly = z.object({
  excludeFrom: z.record(z.string(), z.string()).optional().describe("For patterns of exclude that a .nuthatchignore holds: file and line"),
});

export const Config = z.strictObject({
  ...PresetOptions.shape,
  ...UrlOptions.shape,
  ...FrontierOptions.shape,
  ...RobotsOptions.shape,
  ...FetchOptions.shape,
  ...BrowserOptions.shape,
  ...RecrawlOptions.shape,
  ...ScoreOptions.shape,
  ...MetadataOptions.shape,
  ...AiOptions.shape,
  ...CrawlOptions.shape,
  ...StoredOnly.shape,
});
export type Config = z.infer<typeof Config>;
/** Options as people write them: "10s", "none"; everything optional. */
export type ConfigInput = z.input<typeof Config>;

export interface Field {
  readonly key: string;
  readonly group: string;
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  readonly schema: z.ZodType;
  readonly kind: "boolean" | "list" | "object" | "value";
  /** As shown in help; empty if there is none. */
  readonly fallback: string;
  /** The default in the form in which a person would write it. */
  readonly builtIn: unknown;
  /** Never stored or shown; in a config file only as the name of an environment variable. */
  readonly isSecret: boolean;
  /** Whether it is stored with a run; options that belong to this machine are not. */
  readonly isKept: boolean;
  /** Whether it is a file name; in a config file it is relative to that file. */
  readonly isPath: boolean;
  readonly choices: readonly string[];
  /** A valid value, as a flag takes it. */
  readonly example: string;
}

/** The schema without default and optional. */
function innerOf(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional)
    inner = inner.unwrap() as z.ZodType;
  return inner;
}

function kindOf(inner: z.ZodType): Field["kind"] {
  if (inner instanceof z.ZodBoolean) return "boolean";
  if (inner instanceof z.ZodArray) return "list";
  // A union of a list and other forms is treated as a list when given as text.
  if (inner instanceof z.ZodPipe && inner.def.in instanceof z.ZodUnion) return "list";
  return inner instanceof z.ZodObject ? "object" : "value";
}

function builtInOf(schema: z.ZodType): unknown {
  const value = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined;
  return value === Number.POSITIVE_INFINITY ? "none" : value;
}

function fallbackOf(value: unknown, kind: Field["kind"]): string {
  if (value === undefined || kind === "object") return "";
  if (typeof value === "object" && !Array.isArray(value)) return "";
  if (Array.isArray(value)) return value.length > 4 ? `${value.slice(0, 3).join(",")},…` : value.join(",");
  return String(value);
}

function choicesOf(inner: z.ZodType): string[] {
  const item = inner instanceof z.ZodArray ? (inner.element as z.ZodType) : inner;
  return item instanceof z.ZodEnum ? item.options.map(String) : [];
}

interface Meta {
  readonly secret?: boolean;
  readonly kept?: boolean;
  readonly path?: boolean;
  readonly examples?: readonly unknown[];
}

/** Describes an option from its schema. */
export function fieldOf(group: string, key: string, schema: z.ZodType): Field {
  const inner = innerOf(schema);
  const kind = kindOf(inner);
  const builtIn = builtInOf(schema);
  const { secret = false, kept = true, path = false, examples = [] } = { ...inner.meta(), ...schema.meta() } as Meta;
  const choices = choicesOf(inner);
  const fallback = fallbackOf(builtIn, kind);
  return {
    key,
    group,
    schema,
    kind,
    flag: `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    env: `NUTHATCH_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
    help: schema.description ?? inner.description ?? "",
    fallback,
    builtIn,
    isSecret: secret,
    isKept: kept && !secret,
    isPath: path,
    choices,
    example: kind === "boolean" ? "true" : fallback !== "" && !fallback.endsWith("…") ? fallback : String(examples[0] ?? choices[0] ?? ""),
  };
}

export const fields: readonly Field[] = Object.entries(groups).flatMap(([group, { shape }]) =>
  Object.entries(shape as Record<string, z.ZodType>).map(([key, schema]) => fieldOf(group, key, schema)),
);

/**
 * List options whose items may contain commas, with the name of an item: each is given separately. All other lists may be
 * comma-separated.
 */
const UNSPLIT_LISTS: Readonly<Record<string, string>> = { include: "pattern", exclude: "pattern", header: "line", auth: "line" };

/** Name of one item of an option that takes several. */
export const itemOf = ({ key }: Field): string => UNSPLIT_LISTS[key] ?? "list";

/**
 * Converts strings from flags and environment. Lists are split; numbers and booleans are parsed as JSON if the schema does not accept
 * the text.
 */
export function fromText(field: Field, texts: readonly string[]): unknown {
  if (field.kind === "list")
    return Object.hasOwn(UNSPLIT_LISTS, field.key)
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
    const value: unknown = JSON.parse(text);
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? text : value;
  } catch {
    return text; // not JSON: the schema reports the error
  }
}

const notStored = new Set(fields.filter(({ isKept }) => !isKept).map(({ key }) => key));

/** Options as plain JSON in their written form, to be stored with a run and read again. Without secrets and options of this machine. */
export function storedForm(config: Config): Record<string, unknown> {
  const rateLimit = config.rateLimit === 0 ? "none" : `${1000 / config.rateLimit}/s`;
  const kept = Object.entries(withTimeUnits({ ...config, rateLimit }, "ms")).filter(([key]) => !notStored.has(key));
  const written = JSON.stringify(Object.fromEntries(kept), (_, value: unknown) => (value === Number.POSITIVE_INFINITY ? "none" : value));
  return JSON.parse(written) as Record<string, unknown>;
}
