/**
 * The messages between threads: tuples, because writing and reading field names takes longer than their values; and all arrays of a batch
 * in one buffer that is transferred, not copied.
 */
import type { Reading } from "../../../core/records.ts";
import type { ReadJob } from "./read-setup.ts";

/** Bodies one after the other in one buffer, which is transferred with them and returned with their readings. */
export interface JobMessage {
  readonly arena: ArrayBuffer;
  readonly jobs: readonly PackedJob[];
}

type PackedJob = ReturnType<typeof packJob>;

export const packJob = (
  { bytes, coded, url, contentType, robotsTags, as, isSuspect, now, partsUnless, metadataUnless, sessions }: ReadJob,
  start: number,
) => [start, bytes.length, coded?.coding, url, contentType, robotsTags, as, isSuspect, now, partsUnless, metadataUnless, sessions] as const;

export function unpackJob(packed: PackedJob, arena: ArrayBuffer): ReadJob {
  const [start, length, coding, url, contentType, robotsTags, as, isSuspect, now, partsUnless, metadataUnless, sessions] = packed;
  const bytes = new Uint8Array(arena, start, length);
  const coded = coding && { coding };
  return { bytes, coded, url, contentType, robotsTags, as, isSuspect, now, partsUnless, metadataUnless, sessions };
}

export interface ReadingMessage {
  readonly arena: ArrayBuffer;
  /** The buffer that held the bodies, returned for reuse. */
  readonly bodies: ArrayBuffer;
  /** In the order of the jobs; a string is the error of a job without a reading. */
  readonly readings: readonly (PackedReading | string)[];
}

export function packReadings(results: readonly (Reading | string)[], bodies: ArrayBuffer): ReadingMessage {
  const arena = new ArrayBuffer(results.reduce((sum, result) => sum + (typeof result === "string" ? 0 : sizeOf(result)), 0));
  const into: BufferPosition = { buffer: new Uint8Array(arena), end: 0 };
  return { arena, bodies, readings: results.map((result) => (typeof result === "string" ? result : pack(result, into))) };
}

/** `jobs` hold the compressed bodies, which are kept as sent and did not cross threads. */
export const unpackReadings = ({ arena, readings }: ReadingMessage, jobs: readonly ReadJob[]): (Reading | string)[] =>
  readings.map((reading, at) => (typeof reading === "string" ? reading : unpack(reading, arena, jobs[at]?.coded?.bytes)));

interface BufferPosition {
  readonly buffer: Uint8Array;
  end: number;
}

type PackedReading = ReturnType<typeof pack>;

/** Arrays of numbers must start at multiples of 4 bytes. */
const aligned = (length: number) => (length + 3) & ~3;
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array) => new Uint8Array(buffer, byteOffset, byteLength);

function sizeOf({ links, metadata, packedLinks, body }: Reading): number {
  const metadataSize = metadata ? metadata.blocks.byteLength + aligned(metadata.evidence.length) : 0;
  return (
    metadataSize + links.hashes.byteLength + aligned(links.flags.length) + aligned(packedLinks.length) + aligned(body.data?.length ?? 0)
  );
}

/** Copies the array into the buffer and returns its offset. */
function copyInto(array: Uint8Array, into: BufferPosition): number {
  const start = into.end;
  into.buffer.set(array, start);
  into.end += aligned(array.length);
  return start;
}

function pack(reading: Reading, into: BufferPosition) {
  const { links, fingerprint, body, metadata, packedLinks } = reading;
  return [
    reading.type,
    reading.charset,
    reading.title,
    reading.description,
    reading.pageType,
    reading.lang,
    reading.canonical,
    reading.noindex,
    reading.nofollow,
    reading.linkCount,
    links.flags.length,
    copyInto(bytesOf(links.hashes), into),
    copyInto(links.flags, into),
    links.origin,
    links.urls,
    links.keys,
    copyInto(packedLinks, into),
    packedLinks.length,
    reading.matches,
    reading.relevance,
    fingerprint.links,
    fingerprint.text,
    fingerprint.simhash,
    reading.parts,
    reading.blocks,
    reading.wordCount,
    metadata && {
      values: metadata.values,
      verdict: metadata.verdict,
      preview: metadata.preview,
      extractor: metadata.extractor,
      blocksAt: copyInto(bytesOf(metadata.blocks), into),
      blocks: metadata.blocks.length,
      evidenceAt: copyInto(metadata.evidence, into),
      evidence: metadata.evidence.length,
    },
    reading.words,
    reading.isBlank,
    reading.looksScripted,
    reading.sight,
    reading.sitemap,
    reading.sessions,
    body.hash,
    body.size,
    body.coding,
    body.data && copyInto(body.data, into),
    body.data?.length,
  ] as const;
}

/** Fields in the order of `pack`. */
function unpack(packed: PackedReading, arena: ArrayBuffer, sent: Uint8Array | undefined): Reading {
  const [
    type,
    charset,
    title,
    description,
    pageType,
    lang,
    canonical,
    noindex,
    nofollow,
    linkCount,
    tableLength,
    hashesAt,
    flagsAt,
    origin,
    urls,
    keys,
    packedAt,
    packedLength,
    matches,
    relevance,
    linksPrint,
    textPrint,
    simhash,
    parts,
    blocks,
    wordCount,
    metadata,
    words,
    isBlank,
    looksScripted,
    pageCheck,
    sitemap,
    sessions,
    hash,
    size,
    coding,
    dataAt,
    dataLength,
  ] = packed;
  return {
    type,
    charset,
    title,
    description,
    pageType,
    lang,
    canonical,
    noindex,
    nofollow,
    links: {
      hashes: new Uint32Array(arena, hashesAt, 2 * tableLength),
      flags: new Uint8Array(arena, flagsAt, tableLength),
      origin,
      urls,
      keys,
    },
    linkCount,
    packedLinks: new Uint8Array(arena, packedAt, packedLength),
    matches,
    relevance,
    fingerprint: { links: linksPrint, text: textPrint, simhash },
    parts,
    blocks,
    wordCount,
    metadata: metadata && {
      values: metadata.values,
      verdict: metadata.verdict,
      preview: metadata.preview,
      extractor: metadata.extractor,
      blocks: new Uint32Array(arena, metadata.blocksAt, metadata.blocks),
      evidence: new Uint8Array(arena, metadata.evidenceAt, metadata.evidence),
    },
    words,
    isBlank,
    looksScripted,
    sight: pageCheck,
    sitemap,
    ...(sessions && { sessions }),
    body: {
      hash,
      size,
      coding,
      data: dataAt === undefined ? (coding === "identity" ? undefined : sent) : new Uint8Array(arena, dataAt, dataLength),
    },
  };
}
