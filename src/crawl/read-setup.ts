import { READER_VERSION } from "../parse/index.ts";
import type { CodedBody, Fingerprint, Hash64 } from "../records.ts";
import type { ScorerKind } from "../score/index.ts";
import { hash64, KEY_VERSION, type KeyOptions, type KnownSessions } from "../url/index.ts";
import type { MetadataSetup } from "./read-metadata.ts";

/** What a reader needs to know besides the body. The same for a whole run. */
export interface ReadSetup {
  readonly key: KeyOptions;
  readonly embeddedLinks: boolean;
  /** Our product token, for robots metas that speak to us by name. */
  readonly agent: string;
  readonly hashSeed: Hash64;
  /** Whose bodies are kept: an archive has sitemaps too. */
  readonly keeps: "none" | "pages" | "all";
  /** Nothing is kept of a page but what following and recognising it takes: no text, no context of links, no nearness. */
  readonly isLean: boolean;
  /** How to tell what a page says about itself; undefined where nobody wants to know. */
  readonly metadata: MetadataSetup | undefined;
  /** Whether pages are to be found by their words. */
  readonly wantsWords: boolean;
  /** Whether a browser may be asked to show what was read: then one wants to know what it would be good for. */
  readonly mayRender?: boolean | undefined;
  /** What links are held against, with weights. */
  readonly keywords: readonly (readonly [word: string, weight: number])[];
  readonly scorer: ScorerKind;
  readonly scoreRatio: number;
}

export interface ReadJob {
  readonly bytes: Uint8Array;
  /** The same as it was sent, which is kept then. A reader on another thread is told the coding alone. */
  readonly coded?: { readonly coding: CodedBody["coding"]; readonly bytes?: Uint8Array | undefined } | undefined;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly robotsTags: readonly string[];
  readonly as: "page" | "sitemap";
  /** Whether to tell how new the page is among its like. */
  readonly isSuspect?: boolean | undefined;
  readonly now: number;
  /** What is known of session ids on its host; undefined where nobody looks for any. */
  readonly sessions?: KnownSessions | undefined;
  /** Whoever compares pages wants them in their parts, unless the body is the one of this name. */
  readonly partsUnless?: string | undefined;
  /** A page that is as it was keeps what is known of it: metadata is not wanted where text and links are those of this print (`printText`). */
  readonly metadataUnless?: string | undefined;
}

export const printText = ({ text, links }: Fingerprint): string => `${text} ${links}`;

/** Names how bodies are read: two readings may be compared only if they were made the same way. */
export function readerName(setup: ReadSetup): string {
  const { stripParams, sortParams, maxParams } = setup.key;
  const options = JSON.stringify([stripParams, sortParams, String(maxParams), setup.embeddedLinks, setup.isLean]);
  const { hi, lo } = hash64(options, UNSEEDED);
  // That a page is as it was says little where nobody has looked whether a browser shows more of it.
  return `${READER_VERSION}.${KEY_VERSION}.${hi.toString(36)}${lo.toString(36)}${setup.mayRender ? ".shown" : ""}`;
}

const UNSEEDED: Hash64 = { hi: 1, lo: 2 };
