import type { z } from "zod";
import { durationText } from "../../core/units.ts";
import { Config, type Field, fields } from "./config.ts";
import { expectedText, givenText, isHidden, suggestedFix } from "./error-text.ts";
import { isPreset, presets } from "./presets.ts";
import { SetupError } from "./setup-error.ts";
import { nearest } from "./suggest.ts";

export interface Layer {
  /** Source of the values, for error messages. */
  readonly from: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Spelling of a key in that source. */
  readonly spell?: (key: string) => string;
  /** Other names allowed there, for the suggestion after a mistyped one. */
  readonly besides?: readonly string[];
  /** Its lists are appended to those of other layers instead of replacing them. */
  readonly isAdded?: boolean;
}

export interface Resolved {
  readonly config: Config;
  /** The values as written. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Layers that set each value; values that no layer set are defaults. */
  readonly origins: ReadonlyMap<string, readonly Layer[]>;
}

/** Merges layers from weakest to strongest; the last value wins. */
export const resolveConfig = (layers: readonly Layer[]): Config => resolveLayers(layers).config;

/** The same, with the source of each value. */
export function resolveLayers(layers: readonly Layer[]): Resolved {
  const written: Record<string, unknown> = {};
  const origins = new Map<string, readonly Layer[]>();
  for (const layer of orderLayers(layers)) {
    for (const [key, value] of Object.entries(layer.values)) {
      if (value === undefined) continue;
      if (!Object.hasOwn(Config.shape, key)) throw unknownKey(key, layer);
      const before = written[key];
      const mustAppend = layer.isAdded && Array.isArray(before) && Array.isArray(value);
      written[key] = mustAppend ? [...before, ...value] : value;
      origins.set(key, mustAppend ? [...(origins.get(key) ?? []), layer] : [layer]);
    }
  }
  const result = Config.safeParse(written);
  if (result.success) {
    refuseEndlessWait(result.data, origins);
    return { config: result.data, written, origins };
  }
  throw badValue(result.error.issues[0]!, written, origins);
}

/** Throws if the delay exceeds maxWait: such a run would stop after the first request of each host. */
function refuseEndlessWait({ rateLimit, maxWait }: Config, origins: Resolved["origins"]): void {
  if (rateLimit <= maxWait || maxWait === 0) return;
  const layer = origins.get("rateLimit")?.at(-1) ?? origins.get("maxWait")?.at(-1);
  const needed = durationText(Math.ceil(rateLimit / 60_000) * 2 * 60_000);
  throw new SetupError(
    `${layer?.spell?.("rateLimit") ?? "rateLimit"}: a host would be asked every ${durationText(Math.round(rateLimit))}, and a run stops when every host must wait longer than ${durationText(maxWait)}${layer ? ` (in ${layer.from})` : ""}`,
    `let it wait longer: --max-wait ${needed}`,
  );
}

/** The preset named by the strongest layer goes first; layers that are added go last. */
function orderLayers(layers: readonly Layer[]): Layer[] {
  const named = layers.findLast(({ values }) => values.preset !== undefined)?.values.preset;
  const preset = isPreset(named) ? [{ from: `preset ${named}`, values: presets[named].options }] : [];
  return [...preset, ...layers.filter(({ isAdded }) => !isAdded), ...layers.filter(({ isAdded }) => isAdded)];
}

function badValue(issue: z.core.$ZodIssue, written: Resolved["written"], origins: Resolved["origins"]): SetupError {
  const key = String(issue.path[0] ?? "");
  const layer = origins.get(key)?.at(-1);
  const field = fields.find((known) => known.key === key);
  const where = issue.path.slice(1).map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  const gotText = field && isHidden(field) ? "" : givenText(issue, written);
  return new SetupError(
    `${layer?.spell?.(key) ?? key + where.join("")}: ${expectedText(issue)}${gotText}${layer ? ` (in ${layer.from})` : ""}`,
    suggestedFix(issue, written) ?? (field ? hintFor(field) : "nuthatch crawl -hh lists them"),
  );
}

/** An example of a valid value. */
const hintFor = ({ key, flag, fallback, kind, example, help }: Field) =>
  key === "keywords"
    ? "write a word or phrase, and its weight after a = if it is not 1: budget=0.5"
    : kind === "boolean"
      ? `${flag}: ${help}; elsewhere true or false`
      : `${flag} ${example}${example === fallback ? " (the default)" : ""}: ${help}`;

function unknownKey(key: string, layer: Layer): SetupError {
  const near = nearest(key, [...Object.keys(Config.shape), ...(layer.besides ?? [])]);
  return new SetupError(
    `unknown option ${key} in ${layer.from}`,
    near ? `did you mean ${layer.spell?.(near) ?? near}?` : "nuthatch crawl -hh lists them",
  );
}
