import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Reading } from "../../../core/records.ts";
import { openBodyReader } from "./read.ts";
import type { ReadJob, ReadSetup } from "./read-setup.ts";
import { packJob, packReadings, unpackJob, unpackReadings } from "./reading-message.ts";

const setup: ReadSetup = {
  key: { stripParams: ["utm_*"], sortParams: false, maxParams: Number.POSITIVE_INFINITY },
  embeddedLinks: true,
  agent: "nuthatch",
  hashSeed: { hi: 1, lo: 2 },
  keeps: "all",
  isLean: false,
  metadata: { cascade: "weighed", topics: [], memories: new Map() },
  wantsWords: true,
  mayRender: true,
  keywords: [["water", 1]],
  scorer: "lexical",
  scoreRatio: 0.5,
};

const page = `<html lang=en><title>Water</title><meta name=description content="Of wells"><meta property=og:type content=article>
<link rel=canonical href=/water><h1>Water</h1><p>Wells are deep. <a href="/a?utm_x=1" title=A>Water works</a> <a rel=nofollow href=//b.test/>b</a>`;

const job = (text: string, more: Partial<ReadJob> = {}): ReadJob => ({
  bytes: Buffer.from(text),
  url: "http://a.test/",
  contentType: "text/html",
  robotsTags: ["noarchive"],
  as: "page",
  now: 0,
  ...more,
});

test.each([
  ["all there is", setup],
  [
    "next to nothing",
    { ...setup, keeps: "none", isLean: true, metadata: undefined, wantsWords: false, mayRender: false, keywords: [] } as const,
  ],
])("readings come over the border as they were, with %s", async (_, given) => {
  const read = await openBodyReader(given);
  const sitemap = "<urlset><url><loc>http://a.test/x</loc><lastmod>2026-01-02</lastmod></url></urlset>";
  const readings = [
    read(job(page, { isSuspect: true, partsUnless: "another" })),
    read(job("")),
    read(job(sitemap, { as: "sitemap", contentType: "application/xml" })),
    read(job("%PDF-1.7", { contentType: "application/pdf" })),
  ];
  const sent = [...readings.slice(0, 2), "the page is to blame", ...readings.slice(2)];
  const message = packReadings(sent, new ArrayBuffer(0));
  const came = unpackReadings(structuredClone(message, { transfer: [message.arena] }), []);
  expect(came).toEqual(sent.map((one) => (typeof one === "string" ? one : plain(one))));
});

test("a body that is kept as it was sent does not cross the border", async () => {
  const bytes = gzipSync(page);
  const sent = job(page, { coded: { coding: "gzip", bytes } });
  const elsewhere = unpackJob(packJob(sent, 0), new Uint8Array(sent.bytes).buffer);
  expect(elsewhere.coded).toEqual({ coding: "gzip" });
  const kept = async (given: ReadSetup) => {
    const message = packReadings([(await openBodyReader(given))(elsewhere)], new ArrayBuffer(0));
    return (unpackReadings(message, [sent])[0] as Reading).body;
  };
  expect(await kept(setup)).toMatchObject({ coding: "gzip", data: bytes, size: page.length });
  expect(await kept({ ...setup, keeps: "none" })).toMatchObject({ coding: "identity", data: undefined });
});

/** Only the bytes of a buffer cross, not its subclass. */
const plain = (reading: Reading) => ({
  ...reading,
  packedLinks: Uint8Array.from(reading.packedLinks),
  body: { ...reading.body, data: reading.body.data && Uint8Array.from(reading.body.data) },
  metadata: reading.metadata && { ...reading.metadata, evidence: Uint8Array.from(reading.metadata.evidence) },
});
