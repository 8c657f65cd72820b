import type { PagePart, PageParts, PartLink } from "../../core/records.ts";
import type { Content } from "./changed-places.ts";
import { isNamedByProgram } from "./passing-forms.ts";
import { stableUrl } from "./passing-urls.ts";
import {
  isListLabel,
  isListLink,
  isTransientFact,
  isTransientLink,
  isTransientPart,
  stableFact,
  stableText,
  withoutDates,
} from "./transient.ts";

/** Links keep the beginning of their block, up to this length. */
const CONTEXT_LENGTH = 200;
/** A block with a larger share of link text is represented by its links. */
const MIN_LINK_SHARE = 0.8;
const HEADING = /^h[1-6]$/;

/** A page as it is compared: without transient parts (`passing.ts`), unless `wantsAll` is set. */
export function contentOf({ parts, links, facts }: PageParts, url: string, wantsAll = false): Content {
  const host = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? "";
  const linked = linkTextLengths(links);
  const stableTexts = new Map<string, string>();
  const blocks: string[] = [];
  const hidden: string[] = [];
  const headings = new Set<string>();
  const linkTexts = new Set(links.map(({ text }) => text));
  const linksIn = byBlock(links);
  const isListed = ({ block }: PartLink) => isListOfLinks(block, linksIn.get(block), host);
  const shownLinks = links.filter((link) => wantsAll || !(isTransientLink(link, host) || isListed(link)));
  const shown = new Set(shownLinks);
  const pictures = new Set<string>();
  let [heading, blocksBelow] = ["", 0];
  for (const part of parts) {
    blocksBelow = part.heading === heading && part.text !== heading ? blocksBelow + 1 : part.text === part.heading ? 0 : 1;
    heading = part.heading;
    const text = part.picture === undefined ? part.text : pictureText(part, part.picture, wantsAll);
    const letters = linked.get(part.text.slice(0, CONTEXT_LENGTH)) ?? 0;
    const share = letters === 0 ? 0 : letters / Math.max(1, withoutDates(part.text).trim().length);
    const isMenu = part.zone !== "main" && part.picture === undefined && share >= MIN_LINK_SHARE;
    const isLinked = share >= MIN_LINK_SHARE;
    const isListEntry =
      part.picture === undefined
        ? isListOfLinks(part.text, linksIn.get(part.text.slice(0, CONTEXT_LENGTH)), host)
        : part.link !== undefined && !shown.has(links[part.link]!);
    const isPassing = () => isTransientPart(part, { isLinked, isOfLink: isLinked || linkTexts.has(part.heading), below: blocksBelow });
    if (!wantsAll && (isListEntry || isPassing())) hidden.push(text);
    else if (!isMenu) {
      blocks.push(text);
      if (part.picture !== undefined) pictures.add(text);
      if (HEADING.test(part.tag)) headings.add(text);
      const stableForm = wantsAll || part.picture !== undefined ? undefined : stableText(part);
      if (stableForm !== undefined) stableTexts.set(text, stableForm);
    }
  }
  const namedLinks = shownLinks.filter(({ text, block }) => !isNamedByProgram(text, stableTexts.get(block)));
  for (const link of wantsAll ? [] : shownLinks) {
    const stableForm = stableTexts.has(link.text) ? undefined : stableText({ ...link, tag: "a" });
    if (stableForm !== undefined) stableTexts.set(link.text, stableForm);
  }
  return {
    title: facts.find(({ name }) => name === "title")?.value ?? "",
    blocks,
    links: namedLinks.map(({ url: to, text, heading, block }) => ({
      ...{ url: to, key: wantsAll ? to : stableUrl(to, false) },
      ...{ text, heading, block },
    })),
    facts: facts
      .filter((fact) => wantsAll || !isTransientFact(fact))
      .map((fact) => ({ ...fact, key: wantsAll ? fact.value : stableFact(fact) })),
    steady: stableTexts,
    hidden,
    headings,
    pictures,
  };
}

/** A line that is a label and links, such as searches or topics that a program picked: `Popular searches: …`. */
function isListOfLinks(text: string, links: readonly PartLink[] | undefined, host: string): boolean {
  if (!links?.every((link) => isListLink(link, host))) return false;
  const at = text.indexOf(links[0]?.text || "\n");
  if (at < MIN_LABEL || !isListLabel(text.slice(0, at).trim())) return false;
  const rest = links.reduce((left, link) => left.replace(link.text, " "), text.slice(at));
  return !/[\p{L}\d]/u.test(rest);
}

/** Labels are at least this long. */
const MIN_LABEL = 3;

function byBlock(links: readonly PartLink[]): ReadonlyMap<string, readonly PartLink[]> {
  const found = new Map<string, PartLink[]>();
  for (const link of links) {
    const known = found.get(link.block);
    if (known) known.push(link);
    else found.set(link.block, [link]);
  }
  return found;
}

function pictureText({ text }: PagePart, address: string, wantsAll: boolean): string {
  const url = wantsAll ? address : stableUrl(address, true);
  return `Image: ${text === "" ? "" : `${text} `}(${url})`;
}

function linkTextLengths(links: readonly PartLink[]): Map<string, number> {
  const linked = new Map<string, number>();
  for (const { block, text } of links) linked.set(block, (linked.get(block) ?? 0) + text.length);
  return linked;
}
