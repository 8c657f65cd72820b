import { hunksBetween } from "../../core/alignment.ts";
import type { ChangedPlace, Compare, Content, ContentLink } from "./changed-places.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import { skeletonOf, tokensOf } from "./tokens.ts";

export const linkName = ({ url, key = url, text }: ContentLink): string => `${key} ${text}`;
const textShape = (text: string) => skeletonOf(tokensOf(text));
const withoutValues = (url: string) => url.replace(/=[^&#]*/g, "=");
/** Links keep the beginning of their block, up to this length. */
const CONTEXT_LENGTH = 200;
/** Removes generated tokens, which contain letters and digits; the number of an article is kept. */
const withoutTokens = (url: string) =>
  url.replace(/=([\w%.~-]{8,})(?=[&#]|$)/g, (all, value: string) => (/\d/.test(value) && /[a-z]/i.test(value) ? "=" : all));

/**
 * Links that were added, removed, or changed in query or text. Links added or removed with their block are one place together, links with
 * a new target are one each, and the others are grouped by heading.
 */
export function linkPlaces(before: Content, now: Content, compare: Compare): ChangedPlace[] {
  const [stableBefore, stableNow] = [before, now].map(
    ({ steady: stableTexts }) =>
      ({ url, key = url, text }: ContentLink) =>
        `${key} ${stableTexts?.get(text) ?? text}`,
  ) as [(link: ContentLink) => string, (link: ContentLink) => string];
  const hunks = hunksBetween(before.links.map(stableBefore), now.links.map(stableNow));
  const removed = hunks.flatMap(({ from }) => before.links.slice(...from));
  const added = hunks.flatMap(({ to }) => now.links.slice(...to));
  // Links that only changed their order are no news.
  takePairs(removed, added, stableBefore, stableNow);
  const [shownBefore, shownNow] = [before, now].map(({ blocks }) => new Set(blocks.map((block) => block.slice(0, CONTEXT_LENGTH))));
  // The link's text is part of a compared block, so only its URL is judged here.
  const tokenKey = (shown: Set<string>) => (link: ContentLink) => (shown.has(link.block) ? withoutTokens(link.url) : undefined);
  const same = takePairs(removed, added, keyOf, keyOf);
  const tokenPairs = takePairs(removed, added, tokenKey(shownBefore!), tokenKey(shownNow!));
  const values = [...same, ...tokenPairs].flatMap(([old, fresh]) => linkValue(old, fresh, compare));
  const inBlock = (link: ContentLink) =>
    shownBefore!.has(link.block) && shownNow!.has(link.block) ? `L to ${textShape(link.text)} in ${link.block}` : undefined;
  const movedLinks = takePairs(removed, added, inBlock, inBlock).map(([old, fresh]) =>
    placeOf(`L to ${textShape(fresh.text)}`, [old], [fresh]),
  );
  const [left, arrived] = [takeBlockLinks(removed, shownBefore!, shownNow!), takeBlockLinks(added, shownNow!, shownBefore!)];
  const ofBlocks = [...left.map((links) => [links, []] as const), ...arrived.map((links) => [[], links] as const)].map(
    ([old, fresh]): ChangedPlace => ({ ...placeOf(`L in ${textShape((old[0] ?? fresh[0]!).block)}`, old, fresh), isOfBlock: true }),
  );
  return [...values, ...movedLinks, ...ofBlocks, ...byHeading(removed, added, before.links, now)];
}

function placeOf(key: string, before: readonly ContentLink[], now: readonly ContentLink[]): ChangedPlace {
  const blocks = { before: before.map(({ block }) => block), now: now.map(({ block }) => block) };
  const forms = { form: String(now.length), formBefore: String(before.length) };
  return { kind: "links", keys: [key], before: before.map(linkName), now: now.map(linkName), ...forms, blocks };
}

/** Removes from the list the links of blocks that only one of the two pages shows, and returns them by block. */
function takeBlockLinks(links: ContentLink[], shown: ReadonlySet<string>, others: ReadonlySet<string>): ContentLink[][] {
  const groups = new Map<string, ContentLink[]>();
  for (const link of links) {
    if (!shown.has(link.block) || others.has(link.block)) continue;
    const group = groups.get(link.block);
    if (group) group.push(link);
    else groups.set(link.block, [link]);
  }
  const taken = new Set([...groups.values()].flat());
  links.splice(0, links.length, ...links.filter((link) => !taken.has(link)));
  return [...groups.values()];
}

type Key = (link: ContentLink) => string | undefined;

/** Removes from both lists the links with equal keys, in order, and returns the pairs. */
function takePairs(removed: ContentLink[], added: ContentLink[], keyBefore: Key, keyNow: Key): [ContentLink, ContentLink][] {
  const waiting = new Map<string, ContentLink[]>();
  for (const fresh of added.toReversed()) {
    const key = keyNow(fresh);
    const list = key === undefined ? undefined : waiting.get(key);
    if (list) list.push(fresh);
    else if (key !== undefined) waiting.set(key, [fresh]);
  }
  const found: [ContentLink, ContentLink][] = [];
  for (const old of removed) {
    const fresh = waiting.get(keyBefore(old) ?? "")?.pop();
    if (fresh) found.push([old, fresh]);
  }
  const taken = new Set(found.flat());
  for (const list of [removed, added]) list.splice(0, list.length, ...list.filter((link) => !taken.has(link)));
  return found;
}

const keyOf = ({ url, text }: Pick<ContentLink, "url" | "text">) => `V href ${withoutValues(url)} ${textShape(text)}`;
const tokenKeyOf = ({ url }: Pick<ContentLink, "url">) => `V href ${withoutTokens(url)}`;

/** True for a link that has another token on each fetch. */
export const hasChangingToken = (link: Pick<ContentLink, "url" | "text">, memory: NoiseMemory): boolean =>
  withoutTokens(link.url) !== link.url && [keyOf(link), tokenKeyOf(link)].some((key) => (memory.get(key)?.moved ?? 0) > 0);

const pairsOf = (url: string) => url.split(/[?#]/)[1]?.split("&") ?? [];

/** Its key without the parameters that were removed from the other's key: a session id may by chance look like a word. */
function withoutTransient({ url, key = url }: ContentLink, other: ContentLink): string {
  const kept = new Set(pairsOf(other.key ?? other.url));
  const transient = new Set(pairsOf(other.url).flatMap((pair) => (kept.has(pair) ? [] : [pair.split("=")[0]!])));
  if (transient.size === 0) return key;
  const left = pairsOf(key).filter((pair) => !transient.has(pair.split("=")[0]!));
  return key.replace(/\?[^#]*/, left.length > 0 ? `?${left.join("&")}` : "");
}

function linkValue(old: ContentLink, fresh: ContentLink, compare: Compare): ChangedPlace[] {
  const [was, is] = compare(linkName(old), linkName(fresh));
  if (was === is) return [];
  if (withoutTransient(old, fresh) === withoutTransient(fresh, old)) {
    const [words, others] = compare(old.text, fresh.text);
    if (words === others) return [];
  }
  const blocks = old.url === fresh.url ? { before: [old.block], now: [fresh.block] } : { before: [], now: [] };
  const isToken = old.url !== fresh.url && withoutTokens(old.url) === withoutTokens(fresh.url);
  const keys = [keyOf(fresh), ...(isToken ? [tokenKeyOf(fresh)] : [])];
  return [{ kind: "value", keys, before: [was], now: [is], form: "", formBefore: "", blocks }];
}

function byHeading(
  removed: readonly ContentLink[],
  added: readonly ContentLink[],
  old: readonly ContentLink[],
  { title, links }: Content,
): ChangedPlace[] {
  const headings = new Set([...removed, ...added].map(({ heading }) => heading));
  const [gone, fresh, all, allBefore] = [grouped(removed), grouped(added), grouped(links), grouped(old)];
  return [...headings].map((heading) => {
    const [before, now] = [gone.get(heading) ?? [], fresh.get(heading) ?? []];
    const blocks = { before: before.map(({ block }) => block), now: now.map(({ block }) => block) };
    const keys = [`L ${heading === title ? "{title}" : heading}`];
    const forms = { form: String(all.get(heading)?.length ?? 0), formBefore: String(allBefore.get(heading)?.length ?? 0) };
    return { kind: "links", keys, before: before.map(linkName), now: now.map(linkName), ...forms, blocks };
  });
}

function grouped(links: readonly ContentLink[]): Map<string, ContentLink[]> {
  const groups = new Map<string, ContentLink[]>();
  for (const link of links) {
    const group = groups.get(link.heading);
    if (group) group.push(link);
    else groups.set(link.heading, [link]);
  }
  return groups;
}
