import type { Enriched } from "../../../features/enrich/enrich.ts";
import type { MetadataField } from "../../../features/enrich/page-metadata.ts";
import { metadataLines, valueText } from "./metadata-lines.ts";

/** A page and its metadata as lines for people. */
export function linesOf({ url, finalUrl, ok, reason, rule, metadata }: Enriched): string[] {
  if (!ok) return [url, `  not read: ${rule || reason}`];
  return [finalUrl === url ? url : `${url} → ${finalUrl}`, ...metadataLines(metadata).map((line) => `  ${line}`)];
}

/** One table row; its columns do not depend on the values found. */
export function rowOf(
  { metadata, ...one }: Enriched,
  fields: readonly MetadataField[],
  { showSources, imageSizes }: { readonly showSources: boolean; readonly imageSizes: boolean },
): Record<string, unknown> {
  const { width = null, height = null } = metadata.image ?? {};
  const sizes = [["imageWidth", width] as const, ["imageHeight", height] as const];
  const cells = fields.flatMap((name) => {
    const { value = null, source = null, confidence = null } = metadata[name] ?? {};
    const cell = Array.isArray(value) ? valueText(value, "; ") : value;
    const sources = [
      [`${name}Source`, source || null],
      [`${name}Confidence`, confidence],
    ] as const;
    return [[name, cell] as const, ...(name === "image" && imageSizes ? sizes : []), ...(showSources ? sources : [])];
  });
  return { ...one, ...Object.fromEntries(cells) };
}
