import { hunksBetween } from "./alignment.ts";
import type { Compare, Content, ContentLink, Place } from "./places.ts";
import { skeletonOf, tokensOf } from "./tokens.ts";

const nameOf = ({ url, text }: ContentLink) => `${url} ${text}`;
const textShape = (text: string) => skeletonOf(tokensOf(text));
const bare = (url: string) => url.replace(/=[^&#]*/g, "=");

/** Links that came, went, or have another value in their query or words. Those under one heading are one place. */
export function linkPlaces(before: Content, now: Content, compare: Compare): Place[] {
  const values: Place[] = [];
  const [went, came]: [ContentLink[], ContentLink[]] = [[], []];
  for (const { from, to } of hunksBetween(before.links.map(nameOf), now.links.map(nameOf))) {
    const [old, fresh] = [before.links.slice(...from), now.links.slice(...to)];
    for (const link of old) {
      const again = fresh.findIndex((other) => bare(link.url) === bare(other.url) && textShape(link.text) === textShape(other.text));
      if (again < 0) went.push(link);
      else values.push(...linkValue(link, fresh.splice(again, 1)[0]!, compare));
    }
    came.push(...fresh);
  }
  return [...values, ...byHeading(went, came, before.links, now)];
}

function linkValue(old: ContentLink, fresh: ContentLink, compare: Compare): Place[] {
  const [was, is] = compare(nameOf(old), nameOf(fresh));
  if (was === is) return [];
  const blocks = old.url === fresh.url ? { before: [old.block], now: [fresh.block] } : { before: [], now: [] };
  return [
    {
      kind: "value",
      keys: [`V href ${bare(fresh.url)} ${textShape(fresh.text)}`],
      before: [was],
      now: [is],
      form: "",
      formBefore: "",
      blocks,
    },
  ];
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
