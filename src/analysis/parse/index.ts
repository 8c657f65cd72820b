/**
 * Parses a body. Input is bytes with their URL and content type; output is plain data: links with the text around them,
 * title and other metadata with their sources, main text in blocks, sitemap entries. The type is detected (`sniff`),
 * then the encoding (`charset`), then the body is read in one pass without a tree (`renderHtml` builds one to convert a
 * page to another format). HTML, Markdown, plain text, feeds and sitemaps each have one reader.
 *
 * The folder uses no clock, network or disk, so it runs on worker threads. Every document is assumed to be broken, and some
 * to be hostile: time is linear in the size of the input, depth is bounded, remote text never becomes a property name or a
 * pattern, and no exception escapes. Links in <noscript> count, because no scripts are run; links in <template> do not.
 */

/** Increase it whenever the same bytes may give another result: stored bodies read by other versions are read again. */
export const READER_VERSION = 3;

import type { Rendered, RenderOptions } from "./render.ts";

export { byteOrderMark, decodeBytes, headerCharset } from "./charset.ts";
export type { ParsedDocument, ParsedLink } from "./document.ts";
export { encodingFromLabel } from "./encoding.ts";
export { type HiddenCounts, type HiddenReport, hiddenReport } from "./hidden/count-hidden.ts";
export { HiddenText, isUndone, sheetOf } from "./hidden/hidden-text.ts";
export { seenLetters } from "./hidden/seen-letters.ts";
export { type HtmlElement, type HtmlNode, readTree, withChildren } from "./html-tree.ts";
export { IMAGE_HEAD, type ImageSize, imageSizeOf } from "./image-size.ts";
export { parseLastmod } from "./lastmod.ts";
export { type Footnote, footnotesIn } from "./markdown/footnotes.ts";
export { itemNumbers, markdownOf } from "./markdown/markdown-blocks.ts";
export { formulaOf, isFormulaScript, isSecondCopy } from "./markdown/math-text.ts";
export { cut, isBlank, tidy, wellFormed } from "./markdown/tidy.ts";
export { type Mime, parseMime } from "./mime.ts";
export { comparableParts, pageParts } from "./page-parts.ts";
export { prescan } from "./prescan.ts";
export { type ParseInput, parseDocument } from "./read.ts";
export { parseRefresh, type Refresh } from "./refresh.ts";
export type { Rendered, RenderOptions } from "./render.ts";
export { baseInForce, createResolver, type Resolve } from "./resolve.ts";
export { isTable } from "./role-table.ts";
export { isSitemapLocationValid, type ParsedSitemap, parseSitemap } from "./sitemap.ts";
export { sniffType } from "./sniff.ts";

/** HTML as Markdown, plain text or clean HTML. Loaded on first use, because a crawl never needs it. */
export async function renderHtml(html: string, options: RenderOptions): Promise<Rendered> {
  return (await import("./render.ts")).renderHtml(html, options);
}
