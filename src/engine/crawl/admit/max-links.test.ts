import { expect, test } from "vitest";
import type { Reading } from "../../../core/records.ts";
import { readLinks } from "../read/link-set.ts";
import { openBodyReader } from "../read/read.ts";
import { packReadings, unpackReadings } from "../read/reading-message.ts";
import { MAX_LINKS_PER_PAGE } from "./max-links.ts";

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
  const reading = await read(links(MAX_LINKS_PER_PAGE + 500, (n) => n));
  const set = readLinks(reading.links);
  expect([set.count, reading.linkCount]).toEqual([MAX_LINKS_PER_PAGE, MAX_LINKS_PER_PAGE + 500]);
  expect(set.url(MAX_LINKS_PER_PAGE - 1)).toBe(`http://a.test/p${MAX_LINKS_PER_PAGE - 1}`);
});

test("one link that is repeated without end leaves room for all others", async () => {
  const reading = await read(links(3 * MAX_LINKS_PER_PAGE, () => 0) + links(100, (n) => n + 1));
  expect([readLinks(reading.links).count, reading.linkCount]).toEqual([MAX_LINKS_PER_PAGE + 100, MAX_LINKS_PER_PAGE + 100]);
});

test("a page of as many as there may be is read whole", async () => {
  const reading = await read(links(MAX_LINKS_PER_PAGE, (n) => n));
  expect([readLinks(reading.links).count, reading.linkCount]).toEqual([MAX_LINKS_PER_PAGE, MAX_LINKS_PER_PAGE]);
});
