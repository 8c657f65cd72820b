import type { LinkKind } from "../records.ts";

/** What a `<link>` leads to, where that is a page. */
export function kindOfRel(rel: string, type: string): LinkKind | undefined {
  const words = rel.toLowerCase().split(/[\t\n\f\r ]+/);
  if (words.includes("canonical")) return "canonical";
  if (words.includes("next") || words.includes("prev")) return "next";
  // An alternate style sheet or an oEmbed description is no page.
  const isPage = !words.includes("stylesheet") && !/oembed|json/i.test(type);
  return words.includes("alternate") && isPage ? "alternate" : undefined;
}
