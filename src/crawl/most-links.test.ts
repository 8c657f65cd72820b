import { expect, test } from "vitest";
import type { Reading } from "../records.ts";
import { readLinks } from "./link-set.ts";
import { MOST_LINKS } from "./most-links.ts";
import { openBodyReader } from "./read.ts";
import { packReadings, unpackReadings } from "./reading-message.ts";

async function read(html: string): Promise<Reading> {
  const readBody = await openBodyReader({
    key: { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY },
    embeddedLinks: true,
    agent: "nuthatch",
    hashSeed: { hi: 1, lo: 2 },
    keeps: "pages",
    keywords: [],
    scorer: "embedded",
    scoreRatio: 0.5,
    isLean: false,
    wantsWords: false,
    metadata: undefined,
  });
  const job = { bytes: Buffer.from(html), url: "http://a.test/", contentType: "text/html", robotsTags: [], as: "page", now: 0 } as const;
  return unpackReadings(packReadings([readBody(job)], new ArrayBuffer(0)), [])[0] as Reading;
}

const links = (count: number, name: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => `<a href="/p${name(n)}">a</a>`).join("");

test("of a page that names too many the first are followed, and all are counted", async () => {
  const reading = await read(links(MOST_LINKS + 500, (n) => n));
  const set = readLinks(reading.links);
  expect([set.count, reading.linkCount]).toEqual([MOST_LINKS, MOST_LINKS + 500]);
  expect(set.url(MOST_LINKS - 1)).toBe(`http://a.test/p${MOST_LINKS - 1}`);
});

test("one link that is repeated without end leaves room for all others", async () => {
  const reading = await read(links(3 * MOST_LINKS, () => 0) + links(100, (n) => n + 1));
  expect([readLinks(reading.links).count, reading.linkCount]).toEqual([MOST_LINKS + 100, MOST_LINKS + 100]);
});

test("a page of as many as there may be is read whole", async () => {
  const reading = await read(links(MOST_LINKS, (n) => n));
  expect([readLinks(reading.links).count, reading.linkCount]).toEqual([MOST_LINKS, MOST_LINKS]);
});
