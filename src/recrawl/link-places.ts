import { hunksBetween } from "./alignment.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import type { Compare, Content, ContentLink, Place } from "./places.ts";
import { skeletonOf, tokensOf } from "./tokens.ts";

const nameOf = ({ url, text }: ContentLink) => `${url} ${text}`;
const textShape = (text: string) => skeletonOf(tokensOf(text));
const bare = (url: string) => url.replace(/=[^&#]*/g, "=");
/** Without what a machine made up: the number of an article is none of it. */
const withoutTokens = (url: string) => url.replace(/=(?=[^&#]*\d)(?=[^&#]*[a-z])[\w%.~-]{8,}(?=[&#]|$)/gi, "=");

/** Links that came, went, or have another value in their query or words. Those under one heading are one place. */
export function linkPlaces(before: Content, now: Content, compare: Compare): Place[] {
  const hunks = hunksBetween(before.links.map(nameOf), now.links.map(nameOf));
  const went = hunks.flatMap(({ from }) => before.links.slice(...from));
  const came = hunks.flatMap(({ to }) => now.links.slice(...to));
  const isShown = (link: ContentLink, { blocks }: Content) => blocks.some((block) => block.startsWith(link.block));
  const isSame = (old: ContentLink, fresh: ContentLink) =>
    bare(old.url) === bare(fresh.url) && textShape(old.text) === textShape(fresh.text);
  // Its words are in the text, and judged there.
  const isTokenApart = (old: ContentLink, fresh: ContentLink) =>
    withoutTokens(old.url) === withoutTokens(fresh.url) && old.url !== fresh.url && isShown(old, before) && isShown(fresh, now);
  const values = [...pairs(went, came, isSame), ...pairs(went, came, isTokenApart)].flatMap(([old, fresh]) =>
    linkValue(old, fresh, compare),
  );
  return [...values, ...byHeading(went, came, before.links, now)];
}

/** Takes out of both lists what belongs together. */
function pairs(
  went: ContentLink[],
  came: ContentLink[],
  belong: (old: ContentLink, fresh: ContentLink) => boolean,
): [ContentLink, ContentLink][] {
  const found: [ContentLink, ContentLink][] = [];
  for (const old of [...went]) {
    const place = came.findIndex((fresh) => belong(old, fresh));
    if (place >= 0) found.push([went.splice(went.indexOf(old), 1)[0]!, came.splice(place, 1)[0]!]);
  }
  return found;
}

const keyOf = ({ url, text }: Pick<ContentLink, "url" | "text">) => `V href ${bare(url)} ${textShape(text)}`;
const tokenKeyOf = ({ url }: Pick<ContentLink, "url">) => `V href ${withoutTokens(url)}`;

/** A link that has another token each time it is seen. */
export const isMovingLink = (link: Pick<ContentLink, "url" | "text">, memory: NoiseMemory): boolean =>
  withoutTokens(link.url) !== link.url && [keyOf(link), tokenKeyOf(link)].some((key) => (memory.get(key)?.moved ?? 0) > 0);

function linkValue(old: ContentLink, fresh: ContentLink, compare: Compare): Place[] {
  const [was, is] = compare(nameOf(old), nameOf(fresh));
  if (was === is) return [];
  const blocks = old.url === fresh.url ? { before: [old.block], now: [fresh.block] } : { before: [], now: [] };
  const isToken = old.url !== fresh.url && withoutTokens(old.url) === withoutTokens(fresh.url);
  const keys = [keyOf(fresh), ...(isToken ? [tokenKeyOf(fresh)] : [])];
  return [{ kind: "value", keys, before: [was], now: [is], form: "", formBefore: "", blocks }];
}

function byHeading(
  went: readonly ContentLink[],
  came: readonly ContentLink[],
  old: readonly ContentLink[],
  { title, links }: Content,
): Place[] {
  const headings = new Set([...went, ...came].map(({ heading }) => heading));
  return [...headings].map((heading) => {
    const under = (link: ContentLink) => link.heading === heading;
    const [before, now] = [went.filter(under), came.filter(under)];
    const blocks = { before: before.map(({ block }) => block), now: now.map(({ block }) => block) };
    const keys = [`L ${heading === title ? "{title}" : heading}`];
    const forms = { form: String(links.filter(under).length), formBefore: String(old.filter(under).length) };
    return { kind: "links", keys, before: before.map(nameOf), now: now.map(nameOf), ...forms, blocks };
  });
}
