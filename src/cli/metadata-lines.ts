import type { ShownField, ShownMetadata } from "../operations/page-metadata.ts";
import type { Topic } from "../records.ts";

/** Values of rejected candidates, and long texts, are cut to this length. */
const GLANCE = 100;

/** One field per line with its source; with --show-sources, rejected candidates and the reasons follow below. */
export function metadataLines(metadata: ShownMetadata): string[] {
  return Object.entries(metadata).flatMap(([name, field]) => fieldLines(name, field as AnyField));
}

type AnyField = ShownField<unknown> & { readonly width?: number; readonly height?: number };

function fieldLines(name: string, { value, source, confidence, candidates = [], width, height }: AnyField): string[] {
  const text = valueText(value) + (width === undefined || height === undefined ? "" : `  ${width} × ${height}`);
  const shown = name === "text" || name === "structured" ? clipped(text) : text;
  const badge = source === "" ? "" : `  ← ${source}${confidence === undefined || confidence === 1 ? "" : ` (${confidence})`}`;
  const lost = candidates.map(
    (candidate) => `  ${candidate.source}: ${clipped(valueText(candidate.value))}${candidate.rejected ? `  ✗ ${candidate.rejected}` : ""}`,
  );
  return [`${name}: ${shown}${badge}`, ...lost];
}

/** A value on one line, also used for table cells. */
export function valueText(value: unknown, between = ", "): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map((one: string | Topic) => (typeof one === "string" ? one : one.name)).join(between);
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).replace(/\s+/g, " ");
}

const clipped = (text: string) => (text.length > GLANCE ? `${text.slice(0, GLANCE - 1)}…` : text);
