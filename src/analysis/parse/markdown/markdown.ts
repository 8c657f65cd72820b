/** Readers for Markdown and plain text, with the same output as for HTML. */
import { CONTEXT, emptyDocument, newLink, type ParsedDocument, type ParsedLink } from "../document.ts";
import { baseInForce, createResolver } from "../resolve.ts";
import { findLinks, findUrls, type TextLink } from "../text-links.ts";
import { cut, tidy } from "./tidy.ts";

interface Options {
  readonly url: string;
  readonly charset: string;
}

interface Block {
  readonly text: string;
  readonly links: readonly TextLink[];
  readonly isHeading: boolean;
}

export function parseMarkdown(text: string, options: Options): ParsedDocument {
  const blocks = splitMarkdown(text);
  const title = blocks.find((block) => block.isHeading)?.text;
  return { ...join(blocks, options), type: "markdown", title: title === undefined ? undefined : { value: title, source: "heading" } };
}

export function parseText(text: string, options: Options): ParsedDocument {
  const paragraphs = text.split(/\n\s*\n/);
  return join(
    paragraphs.map((paragraph) => ({ text: tidy(paragraph), links: findUrls(paragraph), isHeading: false })),
    options,
  );
}

function join(blocks: readonly Block[], { url, charset }: Options): ParsedDocument {
  const base = baseInForce(url, undefined, charset);
  const resolve = createResolver(base, charset);
  const links: ParsedLink[] = [];
  let heading = "";
  for (const block of blocks) {
    if (block.isHeading) heading = cut(block.text, CONTEXT);
    for (const link of block.links) {
      const text = cut(tidy(link.text), CONTEXT);
      links.push({ ...newLink("text", link.href, links.length), url: resolve(link.href), text, heading, block: cut(block.text, CONTEXT) });
    }
  }
  const texts = blocks.map((block) => block.text).filter((text) => text !== "");
  return { ...emptyDocument("text", charset, base), links, text: texts.join("\n"), blocks: texts };
}

const fence = /^ {0,3}(?:```|~~~)/;
const atxHeading = /^ {0,3}#{1,6}(?=[ \t]|$)/;
const underline = /^ {0,3}(?:={2,}|-{2,})[ \t]*$/;
const startsBlock = /^\s{0,12}(?:[-*+>|]|\d{1,9}[.)])[ \t]/;

function splitMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fenceMark = "";

  const end = (isHeading = false) => {
    const source = lines.join("\n");
    lines = [];
    if (source.trim() === "") return;
    const { links, shown } = findLinks(source);
    blocks.push({ text: tidy(plain(shown, isHeading)), links, isHeading });
  };

  for (const line of text.split(/\r?\n/)) {
    const mark = fence.exec(line)?.[0].trim();
    if (fenceMark !== "" || mark !== undefined) {
      // Code contains neither prose nor links.
      if (fenceMark === "") end();
      if (mark !== undefined && (fenceMark === "" || mark === fenceMark)) fenceMark = fenceMark === "" ? mark : "";
      continue;
    }
    if (atxHeading.test(line)) {
      end();
      lines.push(line);
      end(true);
    } else if (lines.length === 1 && underline.test(line)) {
      end(true);
    } else {
      const isBlank = line.trim() === "";
      if (isBlank || startsBlock.test(line)) end();
      if (!isBlank) lines.push(line);
    }
  }
  end();
  return blocks;
}

function plain(shown: string, isHeading: boolean): string {
  const text = shown.replace(/^\s{0,12}(?:#{1,6}|[-*+>]|\d{1,9}[.)])[ \t]/gm, "").replace(/[*`]|__|~~/g, "");
  return isHeading ? text.replace(/[ \t]#{1,6}[ \t]{0,9}$/, "") : text;
}
