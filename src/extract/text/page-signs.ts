/** What kind of page it is, as far as that can be counted. It tells nothing of a block by itself: lists, threads and articles want different things kept. */
import type { PageView } from "../page-view.ts";
import type { Box, Cut } from "./blocks.ts";

export const pageSignNames: readonly string[] = [
  "pageChars",
  "pageBlocks",
  "pageLinks",
  "pageLong",
  "pageMean",
  "centreShare",
  "coreShare",
  "articles",
  "mains",
  "paragraphs",
  "saysArticle",
  "saysProduct",
  "saysForum",
  "saysList",
  "pathDepth",
  "slugWords",
  "isRoot",
];

export function pageSigns(page: PageView, { blocks, top }: Cut, centre: Box, heart: Box): readonly number[] {
  const said = saidTypes(page);
  const path = pathOf(page.url);
  const parts = path.split("/").filter((part) => part !== "");
  const count = (name: string) => page.elements.reduce((sum, element) => (element.name === name ? sum + 1 : sum), 0);
  const chars = Math.max(1, top.chars);
  return [
    Math.log1p(top.chars),
    Math.log1p(blocks.length),
    top.linkChars / chars,
    top.longChars / chars,
    Math.log1p(chars / Math.max(1, blocks.length)),
    centre.chars / chars,
    heart.chars / chars,
    Math.log1p(count("article")),
    Math.min(2, count("main")),
    Math.log1p(count("p")),
    Number(/article|posting|report/i.test(said)),
    Number(/product|offer/i.test(said)),
    Number(/forum|question|qapage|discussion/i.test(said)),
    Number(/itemlist|collection|searchresults/i.test(said)),
    parts.length,
    (parts.at(-1) ?? "").split(/[-_]/).length,
    Number(parts.length === 0),
  ];
}

function saidTypes({ metas, items }: PageView): string {
  return [metas.get("og:type")?.[0] ?? "", ...items.slice(0, 20).flatMap(({ types }) => types)].join(" ").slice(0, 500);
}

const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : "");
