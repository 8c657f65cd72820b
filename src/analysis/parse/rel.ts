import type { LinkKind } from "../../core/records.ts";

/** The kind of link for a `<link>` that leads to a page. */
export function kindOfRel(rel: string, type: string): LinkKind | undefined {
  const words = rel.toLowerCase().split(/[\t\n\f\r ]+/);
  if (words.includes("canonical")) return "canonical";
  if (words.includes("next") || words.includes("prev")) return "next";
  // Alternate style sheets and oEmbed descriptions are not pages.
  const isPage = !words.includes("stylesheet") && !/oembed|json/i.test(type);
  return words.includes("alternate") && isPage ? "alternate" : undefined;
}
