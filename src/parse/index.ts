/**
 * From a body to what it says. Bytes come in with their URL and label; out comes plain data: links with the words around
 * them, title and its like with their source, main text by blocks, sitemap entries. The room finds out what a body is
 * (`sniff`), which letters it is written in (`charset`), and reads it in one pass without building a tree (only
 * `renderHtml` does, to write a page down in another form): HTML, Markdown, plain text, feeds and sitemaps each have one reader. It knows no clock, no network and no disk, so it runs on
 * worker threads; and it assumes that every document is broken, and some are hostile: time is linear in the size of the
 * input, depth is bounded, nothing remote becomes a property name or a pattern, and no exception leaves. Links in
 * <noscript> count, because we run no scripts; links in <template> do not.
 */

/** Raise it whenever the same bytes may read differently: stored readings of other versions are read again. */
export const READER_VERSION = 3;

import type { Rendered, RenderOptions } from "./render.ts";

export { byteOrderMark, decodeBytes, headerCharset } from "./charset.ts";
export { type HiddenCounts, type HiddenReport, hiddenReport } from "./count-hidden.ts";
export type { ParsedDocument, ParsedLink } from "./document.ts";
export { encodingFromLabel } from "./encoding.ts";
export { type Footnote, footnotesIn } from "./footnotes.ts";
export { HiddenText, isUndone } from "./hidden-text.ts";
export { type HtmlElement, type HtmlNode, readTree } from "./html-tree.ts";
export { IMAGE_HEAD, type ImageSize, imageSizeOf } from "./image-size.ts";
export { parseLastmod } from "./lastmod.ts";
export { itemNumbers, markdownOf } from "./markdown-blocks.ts";
export { formulaOf, isFormulaScript, isSecondCopy } from "./math-text.ts";
export { type Mime, parseMime } from "./mime.ts";
export { comparableParts, pageParts } from "./page-parts.ts";
export { prescan } from "./prescan.ts";
export { type ParseInput, parseDocument } from "./read.ts";
export { parseRefresh, type Refresh } from "./refresh.ts";
export type { Rendered, RenderOptions } from "./render.ts";
export { baseInForce, createResolver, type Resolve } from "./resolve.ts";
export { seenLetters } from "./seen-letters.ts";
export { isSitemapLocationValid, type ParsedSitemap, parseSitemap } from "./sitemap.ts";
export { sniffType } from "./sniff.ts";
export { cut, isBlank, tidy, wellFormed } from "./tidy.ts";

/** HTML as Markdown, plain text or clean HTML. Loaded when it is first wanted: a crawl never does. */
export async function renderHtml(html: string, options: RenderOptions): Promise<Rendered> {
  return (await import("./render.ts")).renderHtml(html, options);
}
