import { READER_VERSION } from "../../../analysis/parse/index.ts";
import type { ScorerKind } from "../../../analysis/score/index.ts";
import { hash64, KEY_VERSION, type KeyOptions, type KnownSessions } from "../../../analysis/url/index.ts";
import type { CodedBody, Fingerprint, Hash64 } from "../../../core/records.ts";
import type { MetadataSetup } from "./read-metadata.ts";

/** Settings of a reader, the same for a whole run. */
export interface ReadSetup {
  readonly key: KeyOptions;
  readonly embeddedLinks: boolean;
  /** Our product token, for robots meta elements that address us by name. */
  readonly agent: string;
  readonly hashSeed: Hash64;
  /** Which bodies are kept: archives include sitemaps. */
  readonly keeps: "none" | "pages" | "all";
  /** Keeps only what following and recognising a page needs: no text, no link context, no near-duplicates. */
  readonly isLean: boolean;
  /** Settings for extracting metadata; undefined if it is not wanted. */
  readonly metadata: MetadataSetup | undefined;
  /** Whether pages are indexed for full-text search. */
  readonly wantsWords: boolean;
  /** Whether a browser may be used, so that the reader reports whether that would help. */
  readonly mayRender?: boolean | undefined;
  /** The keywords that links are matched with, and their weights. */
  readonly keywords: readonly (readonly [word: string, weight: number])[];
  readonly scorer: ScorerKind;
  readonly scoreRatio: number;
}

export interface ReadJob {
  readonly bytes: Uint8Array;
  /** The body as the server compressed it, kept in that form. A reader on another thread gets only the coding. */
  readonly coded?: { readonly coding: CodedBody["coding"]; readonly bytes?: Uint8Array | undefined } | undefined;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly robotsTags: readonly string[];
  readonly as: "page" | "sitemap";
  /** Whether to compute block hashes, for a URL that may belong to a trap. */
  readonly isSuspect?: boolean | undefined;
  readonly now: number;
  /** Known session ids of the host; undefined if they are not detected. */
  readonly sessions?: KnownSessions | undefined;
  /** Return the page in parts for comparison, unless the body has this name (it is unchanged then). */
  readonly partsUnless?: string | undefined;
  /** Skip metadata if text and links have this fingerprint (`fingerprintText`): an unchanged page keeps its stored metadata. */
  readonly metadataUnless?: string | undefined;
}

export const fingerprintText = ({ text, links }: Fingerprint): string => `${text} ${links}`;

/** Identifies how bodies are read: two readings can be compared only if their reader names are equal. */
export function readerName(setup: ReadSetup): string {
  const { stripParams, sortParams, maxParams } = setup.key;
  const options = JSON.stringify([stripParams, sortParams, String(maxParams), setup.embeddedLinks, setup.isLean]);
  const { hi, lo } = hash64(options, UNSEEDED);
  // In a run with browsers an unchanged body says little if no earlier run checked whether a browser shows more.
  return `${READER_VERSION}.${KEY_VERSION}.${hi.toString(36)}${lo.toString(36)}${setup.mayRender ? ".shown" : ""}`;
}

const UNSEEDED: Hash64 = { hi: 1, lo: 2 };
