import type { MetadataReport } from "../crawl/index.ts";
import { count, plural } from "./amounts.ts";
import { printable } from "./printable.ts";

/** Summary lines on metadata, if any was read, and on pages with a verdict other than "ok". */
export function metadataLines(report: MetadataReport | undefined): (readonly [label: string, text: string])[] {
  if (!report) return [];
  const verdicts = Object.entries(report.verdicts).map(([verdict, pages]) => `${verdict} ${count(pages)}`);
  const filled = fillingWords(report);
  return [
    ...(filled === undefined ? [] : [["metadata", filled] as const]),
    ...(verdicts.length === 0 ? [] : [["no pages", `${verdicts.join(" · ")}; left out of changes and exports`] as const]),
  ];
}

function fillingWords({ read, failed, ended, trouble }: MetadataReport): string | undefined {
  const parts = [
    ...(read > 0 ? [`${plural(read, "stored page", "stored pages")} read again`] : []),
    ...(failed > 0 ? [`${count(failed)} could not be read`] : []),
    ...(ended === "interrupted" ? ["interrupted; the next crawl goes on with it"] : []),
    ...(ended === "failed" ? [`failed: ${printable(trouble ?? "", 300)}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(" · ");
}
