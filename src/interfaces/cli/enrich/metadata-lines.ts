import type { Topic } from "../../../core/records.ts";
import type { ShownField, ShownMetadata } from "../../../features/enrich/page-metadata.ts";

/** Values of rejected candidates, and long texts, are cut to this length. */
const MAX_TEXT_LENGTH = 100;

/** One field per line with its source; with --show-sources, rejected candidates and the reasons follow below. */
export function metadataLines(metadata: ShownMetadata): string[] {
  return Object.entries(metadata).flatMap(([name, field]) => fieldLines(name, field as AnyField));
}

type AnyField = ShownField<unknown> & { readonly width?: number; readonly height?: number };

function fieldLines(name: string, { value, source, confidence, candidates = [], width, height }: AnyField): string[] {
  const text = valueText(value) + (width === undefined || height === undefined ? "" : `  ${width} × ${height}`);
  const shown = name === "text" || name === "structured" ? clipped(text) : text;
  const sourceText = source === "" ? "" : `  ← ${source}${confidence === undefined || confidence === 1 ? "" : ` (${confidence})`}`;
  const rejectedLines = candidates.map(
    (candidate) => `  ${candidate.source}: ${clipped(valueText(candidate.value))}${candidate.rejected ? `  ✗ ${candidate.rejected}` : ""}`,
  );
  return [`${name}: ${shown}${sourceText}`, ...rejectedLines];
}

/** A value on one line, also used for table cells. */
export function valueText(value: unknown, separator = ", "): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map((one: string | Topic) => (typeof one === "string" ? one : one.name)).join(separator);
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).replace(/\s+/g, " ");
}

const clipped = (text: string) => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 1)}…` : text);
