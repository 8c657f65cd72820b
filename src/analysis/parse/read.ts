/** Entry point: detects the type of a body, decodes it, and calls the reader for the type. */
import { bytesInUtf8, decodeBytes } from "./charset.ts";
import { emptyDocument, type ParsedDocument } from "./document.ts";
import { parseFeed } from "./feed.ts";
import { parseHtml } from "./html.ts";
import { parseHtmlWithTree } from "./html-with-tree.ts";
import { parseMarkdown, parseText } from "./markdown/markdown.ts";
import { parseSitemap } from "./sitemap.ts";
import { sniffType } from "./sniff.ts";

export interface ParseInput {
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly as: "page" | "sitemap";
  /** Whether to look for links in JSON within scripts. */
  readonly embeddedLinks: boolean;
  /** Whether to extract text and the context of links. Default: true. */
  readonly withText?: boolean;
  /** Whether to build the tree of an HTML page in the same pass. */
  readonly withTree?: boolean;
}

export function parseDocument(input: ParseInput): ParsedDocument {
  const { bytes, url, contentType } = input;
  const type = input.as === "sitemap" ? "sitemap" : sniffType(bytes, contentType, url);
  switch (type) {
    case "binary":
      return emptyDocument("binary", "", url);
    case "sitemap": {
      const { charset, pages, sitemaps } = parseSitemap(bytes, url, contentType);
      return { ...emptyDocument("sitemap", charset, url), sitemap: { pages, sitemaps } };
    }
    case "html": {
      const { utf8, charset } = bytesInUtf8(bytes, contentType, "html");
      const options = { url, charset, embeddedLinks: input.embeddedLinks, withText: input.withText ?? true };
      return input.withTree === true ? parseHtmlWithTree(utf8, options) : parseHtml(utf8, options);
    }
    case "feed": {
      const { text, charset } = decodeBytes(bytes, contentType, "xml");
      return parseFeed(text, { url, charset });
    }
    case "markdown":
    case "text": {
      const { text, charset } = decodeBytes(bytes, contentType, "text");
      return type === "markdown" ? parseMarkdown(text, { url, charset }) : parseText(text, { url, charset });
    }
    default:
      return type satisfies never;
  }
}
