/**
 * Countable properties of the whole page. They are not evidence for a single block, but lists, threads and articles need
 * different blocks kept.
 */

import type { PageView } from "../page-view.ts";
import { urlOf } from "../parsed-url.ts";
import type { Block, Box, Cut } from "./blocks.ts";
import { FAR } from "./mark-distances.ts";
import { placeOf } from "./marks.ts";

export const pageSignNames: readonly string[] = [
  "pageChars",
  "pageBlocks",
  "pageLinks",
  "pageLong",
  "pageMean",
  "centreShare",
  "coreShare",
  "paragraphs",
  "saysArticle",
  "saysProduct",
  "saysForum",
  "saysList",
  "pathDepth",
  "slugWords",
  "isRoot",
  "commentShare",
  "forumShare",
  "restChars",
];

const COMMENT = placeOf("comment");
const FORUM = placeOf("forum");

export function pageSigns(page: PageView, { blocks, top }: Cut, centre: Box, core: Box): readonly number[] {
  const types = declaredTypes(page);
  const shareOf = sharesOf(blocks);
  const path = urlOf(page.url)?.pathname ?? "";
  const parts = path.split("/").filter((part) => part !== "");
  const chars = Math.max(1, top.chars);
  return [
    Math.log1p(top.chars),
    Math.log1p(blocks.length),
    top.linkChars / chars,
    top.longChars / chars,
    Math.log1p(chars / Math.max(1, blocks.length)),
    centre.chars / chars,
    core.chars / chars,
    Math.log1p(paragraphsIn(page)),
    Number(/article|posting|report/i.test(types)),
    Number(/product|offer/i.test(types)),
    Number(/forum|question|qapage|discussion/i.test(types)),
    Number(/itemlist|collection|searchresults/i.test(types)),
    parts.length,
    (parts.at(-1) ?? "").split(/[-_]/).length,
    Number(parts.length === 0),
    shareOf.comment / chars,
    shareOf.forum / chars,
    Math.log1p(shareOf.rest),
  ];
}

function paragraphsIn({ elements }: PageView): number {
  let count = 0;
  for (const { name } of elements) if (name === "p") count += 1;
  return count;
}

/** Characters in comments, in forum posts, and in long texts elsewhere: a forum thread is kept, comments below an article are not. */
function sharesOf(blocks: readonly Block[]) {
  const shares = { comment: 0, forum: 0, rest: 0 };
  for (const { text, linkChars, markLevels: near } of blocks) {
    if (near[COMMENT]! < FAR) shares.comment += text.length;
    else if (near[FORUM]! < FAR) shares.forum += text.length;
    else if (text.length - linkChars > 80) shares.rest += text.length;
  }
  return shares;
}

function declaredTypes({ metas, items }: PageView): string {
  return [metas.get("og:type")?.[0] ?? "", ...items.slice(0, 20).flatMap(({ types }) => types)].join(" ").slice(0, 500);
}
