import type { Fetcher } from "../fetch/index.ts";
import type { Change, Fetched, Fingerprint, Reading, Remembered, Visit } from "../records.ts";
import { afterProbe, type ComparedBy, compare } from "../recrawl/index.ts";
import type { Store } from "../store/index.ts";
import type { MazeGuard, TrapGuard, TrapSuspicion } from "../url/index.ts";
import { type Hooks, type Looked, nothingSeen, type SaidOfLinks } from "./hooks.ts";
import { unpackLinks } from "./link-document.ts";
import type { Reader } from "./reader.ts";

export interface Tools {
  readonly fetcher: Fetcher;
  readonly reader: Reader;
  readonly store: Store;
  /** The sites of the run, whose pages we remember. */
  readonly siteIds: readonly number[];
  readonly readerName: string;
  /** Whether there can be anything to remember. */
  readonly hasHistory: boolean;
  readonly comparedBy: ComparedBy;
  /** Never ask whether a page changed: fetch it. */
  readonly isFull: boolean;
  readonly traps: TrapGuard | undefined;
  readonly mazes: MazeGuard | undefined;
  readonly clock: { wall(): number };
  readonly signal: AbortSignal;
  readonly hooks: Hooks | undefined;
}

/** What one visit taught us, before it is settled. */
export interface Outcome {
  readonly visit: Visit;
  readonly fetched: Fetched;
  readonly reading: Reading | undefined;
  readonly change: Change | undefined;
  readonly remembered: Remembered | undefined;
  /** The trap this URL could belong to. */
  readonly suspicion?: TrapSuspicion | undefined;
  readonly looked?: Looked | undefined;
  /** What plugins said of its links. */
  readonly said?: SaidOfLinks | undefined;
}

/** One visit, read top to bottom. The whole crawler is this function, run by N workers. */
export async function visit(v: Visit, t: Tools, headers?: Readonly<Record<string, string>>): Promise<Outcome> {
  const remembered = v.kind === "page" && t.hasHistory ? await t.store.remember(t.siteIds, v.hash, t.readerName) : undefined;
  const fetched = await t.fetcher.fetch({ url: v.url, turn: v.turn, accept: v.kind, headers, ...validators(remembered, t) }, t.signal);
  if (t.hooks?.afterFetch) await t.hooks.afterFetch(v, fetched);
  if (fetched.kind !== "body") {
    const looked = t.hooks?.look && fetched.kind === "not-modified" ? await lookAtStored(v, remembered, t) : undefined;
    return { visit: v, fetched, reading: undefined, change: changeWithout(v, fetched, remembered), remembered, looked };
  }

  const { bytes, contentType, robotsTags } = fetched;
  const suspicion = v.kind === "page" ? t.traps?.suspect(v.url, v.parent) : undefined;
  const as = v.kind === "sitemap" ? "sitemap" : "page";
  const result = await t.reader.read({
    bytes,
    contentType,
    robotsTags,
    url: v.url,
    as,
    isSuspect: suspicion !== undefined || (t.mazes?.doubts(v.hash, v.url) ?? false),
    now: t.clock.wall(),
  });
  if ("error" in result) return unreadable(v, fetched, remembered, result.error);
  const { reading } = result;
  const before = await comparable(v, remembered, reading, t);
  const change = before === "unknown" ? "unknown" : remembered?.isGone ? "changed" : compare(reading.fingerprint, before, t.comparedBy);
  const looked = t.hooks?.look && v.kind === "page" ? await t.hooks.look(v, fetched) : undefined;
  const scores = t.hooks?.scoreLinks && v.kind === "page" && change !== "same";
  const said = scores ? await t.hooks?.scoreLinks?.(v, unpackLinks(reading.packedLinks, t.store.hashSeed)) : undefined;
  return { visit: v, fetched, reading, change: v.via === "probe" ? afterProbe("body") : change, remembered, suspicion, looked, said };
}

/** Whoever looks at pages sees one that did not change as it was stored. */
async function lookAtStored(v: Visit, remembered: Remembered | undefined, t: Tools): Promise<Looked | undefined> {
  const bytes = remembered?.bodyHash === undefined ? undefined : await t.store.body(remembered.bodyHash);
  return t.hooks?.look?.(v, bytes ? { status: 200, contentType: remembered?.contentType, bytes } : nothingSeen);
}

/** Validators are sent only if a 304 could be believed: what we stored was read the way we read today. */
function validators(remembered: Remembered | undefined, t: Tools): { etag?: string; lastModified?: string } {
  if (t.isFull || !remembered?.isCurrent) return {};
  return {
    ...(remembered.etag === undefined ? {} : { etag: remembered.etag }),
    ...(remembered.lastModified === undefined ? {} : { lastModified: remembered.lastModified }),
  };
}

/** What a known page's silence means. Only a clear answer says "gone"; trouble says "unknown". */
function changeWithout(v: Visit, fetched: Fetched, remembered: Remembered | undefined): Change | undefined {
  if (!remembered) return undefined;
  if (v.via === "probe") return afterProbe(fetched.kind);
  switch (fetched.kind) {
    case "not-modified":
      return "same";
    case "moved":
      return remembered.movedTo === fetched.location ? "same" : "changed";
    case "gone":
      return remembered.isGone ? undefined : "gone";
    default:
      return "unknown";
  }
}

/**
 * The fingerprint to compare with. If the reader or its options have changed since, the stored body is read again; without
 * one, equal bytes are the same page and anything else cannot be told.
 */
async function comparable(
  v: Visit,
  remembered: Remembered | undefined,
  reading: Reading,
  t: Tools,
): Promise<Fingerprint | undefined | "unknown"> {
  if (!remembered?.fingerprint || remembered.isCurrent || v.kind !== "page") return remembered?.fingerprint;
  if (remembered.bodyHash === reading.body.hash) return reading.fingerprint;
  const bytes = remembered.bodyHash === undefined ? undefined : await t.store.body(remembered.bodyHash);
  if (!bytes) return "unknown";
  const again = {
    bytes: Uint8Array.from(bytes),
    contentType: remembered.contentType,
    robotsTags: [],
    url: v.url,
    as: "page",
    now: 0,
  } as const;
  const result = await t.reader.read(again);
  return "reading" in result ? result.reading.fingerprint : "unknown";
}

function unreadable(v: Visit, fetched: Extract<Fetched, { kind: "body" }>, remembered: Remembered | undefined, detail: string): Outcome {
  const { timing, status } = fetched;
  const failure: Fetched = {
    kind: "failed",
    reason: "parse",
    detail,
    status,
    mayHeal: false,
    hostFault: false,
    retryAfter: undefined,
    timing,
  };
  return { visit: v, fetched: failure, reading: undefined, change: remembered ? "unknown" : undefined, remembered };
}
