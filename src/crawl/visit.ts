import type { Fetcher } from "../fetch/index.ts";
import type { Change, Fetched, Fingerprint, Reading, Reason, Remembered, Visit } from "../records.ts";
import { afterProbe, type ComparedBy, compare } from "../recrawl/index.ts";
import type { Exchange, RenderedBy, Store } from "../store/index.ts";
import type { MazeGuard, SessionIds, TrapGuard, TrapSuspicion } from "../url/index.ts";
import { type Hooks, type Looked, nothingSeen, type SaidOfLinks, type SeenBody } from "./hooks.ts";
import { unpackLinks } from "./link-document.ts";
import type { NoiseJudge } from "./noise-judge.ts";
import { printText } from "./read-setup.ts";
import type { Reader, ReadResult } from "./reader.ts";
import type { Rendering, Seen } from "./rendering.ts";

export interface Tools {
  readonly fetcher: Fetcher;
  readonly reader: Reader;
  readonly store: Store;
  /** The sites of the run; known pages are looked up in them. */
  readonly siteIds: readonly number[];
  readonly readerName: string;
  /** Whether earlier runs stored pages. */
  readonly hasHistory: boolean;
  readonly comparedBy: ComparedBy;
  /** Fetch every page without conditional requests. */
  readonly isFull: boolean;
  /** Whether every source of URLs was read, so that a page nobody named can be called unlinked. */
  readonly heardAll: () => boolean;
  readonly traps: TrapGuard | undefined;
  readonly sessions: SessionIds | undefined;
  readonly mazes: MazeGuard | undefined;
  readonly clock: { wall(): number };
  readonly signal: AbortSignal;
  readonly hooks: Hooks | undefined;
  /** Undefined in a first run, where there is nothing to compare with. */
  readonly noise: NoiseJudge | undefined;
  /** Set if the run may use browsers. */
  readonly rendering?: Rendering | undefined;
}

/** The result of one visit, before it is settled. */
export interface Outcome {
  readonly visit: Visit;
  readonly fetched: Fetched;
  readonly reading: Reading | undefined;
  readonly change: Change | undefined;
  /** Nothing has changed except the facts in the page's head. */
  readonly isHead?: boolean;
  readonly remembered: Remembered | undefined;
  /** The trap this URL may belong to. */
  readonly suspicion?: TrapSuspicion | undefined;
  readonly looked?: Looked | undefined;
  /** Scores that plugins gave to its links. */
  readonly said?: SaidOfLinks | undefined;
  /**
   * Nothing is settled yet. "noise": the page differs, and a second fetch decides whether that means anything. "render": the request was
   * refused, and a browser tries next.
   */
  readonly again?: "noise" | "render";
  /** Set if the body that was read comes from a browser. */
  readonly rendered?: RenderedBy | undefined;
  /** The stored version was read the other way: with a browser instead of without, or the reverse. */
  readonly isOtherWay?: boolean;
  /** Why a browser failed to render it. */
  readonly trouble?: Reason | undefined;
  /** The exchange as sent and received, in a run that saves archives. */
  readonly exchange?: Exchange | undefined;
}

/** One visit, read top to bottom. The whole crawler is this function, run by N workers. */
export async function visit(v: Visit, t: Tools, headers?: Readonly<Record<string, string>>): Promise<Outcome> {
  const remembered = v.kind === "page" && t.hasHistory ? await t.store.remember(t.siteIds, v.hash, t.readerName) : undefined;
  const seen = await see(v, t, remembered, headers);
  if ("again" in seen) return { visit: v, fetched: seen.fetched, reading: undefined, change: undefined, remembered, again: "render" };
  const { fetched, result, rendered, trouble, suspicion } = seen;
  if (fetched.kind !== "body" || !result) {
    if (fetched.kind === "not-modified" && remembered) await t.noise?.sawSame(v);
    const looked = t.hooks?.look && fetched.kind === "not-modified" ? await lookAtStored(v, remembered, t) : undefined;
    return { visit: v, fetched, reading: undefined, change: changeWithout(v, fetched, remembered, t), remembered, looked };
  }
  if ("error" in result) return unreadable(v, fetched, remembered, result.error);
  let { reading } = result;
  const isOtherWay = remembered?.fingerprint !== undefined && (remembered.isRendered ?? false) !== (rendered !== undefined);
  // Compare like with like: a version stored without a browser with the body fetched without one.
  const like = isOtherWay ? seen.raw : reading;
  const known = !like ? "unknown" : remembered && (await comparable(v, remembered, like, t));
  const change =
    known === "unknown"
      ? "unknown"
      : remembered?.isGone && remembered.fingerprint
        ? "changed"
        : compare(like!.fingerprint, known, t.comparedBy);
  const isProbe = v.via === "probe";
  const isUnlinked = isProbe && t.heardAll();
  const isKnown = !isUnlinked && like !== undefined && remembered !== undefined;
  const verdict = isUnlinked ? afterProbe("body") : isKnown ? await noiseIn(v, like, change, remembered, t) : change;
  if (verdict === "doubt") return { visit: v, fetched, reading: undefined, change: undefined, remembered, again: "noise" };
  // The reader skipped metadata because the fingerprint was the stored one; the page did change, so read it again with metadata.
  if (change === "same" && (verdict === "changed" || verdict === "head")) reading = await readWhole(v, fetched, reading, t);
  const said = !t.hooks || isProbe || verdict === "same" ? undefined : await hearOfLinks(v, reading, t);
  const looked = t.hooks && (await look(v, fetched, t));
  const isHead = verdict === "head";
  const now = isHead ? "changed" : verdict;
  return { visit: v, fetched, reading, change: now, isHead, remembered, suspicion, looked, said, rendered, isOtherWay, trouble };
}

type SeenVisit = Seen & { readonly suspicion?: TrapSuspicion | undefined };

/** Fetches the page, with a plain request or a browser, and reads the body. */
async function see(
  v: Visit,
  t: Tools,
  remembered: Remembered | undefined,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<SeenVisit | { readonly again: true; readonly fetched: Fetched }> {
  const rendering = v.kind === "page" ? t.rendering : undefined;
  const isFull = t.isFull || (t.noise?.isLookedAtAgain(v) ?? false) || (remembered && (await rendering?.willShow(v)));
  // A plugin's headers cannot be sent by a browser, so such a visit uses a plain request.
  const byBrowser = rendering && headers === undefined ? await rendering.ask(v) : undefined;
  // Send validators only if a 304 can be trusted: the stored reading was made by today's reader with today's options.
  const known = isFull || !remembered?.isCurrent ? undefined : remembered;
  const ask = { url: v.url, turn: v.turn, accept: v.kind, headers, etag: known?.etag, lastModified: known?.lastModified };
  const asked = byBrowser ?? { fetched: await t.fetcher.fetch(ask, t.signal) };
  const { fetched } = asked;
  if (t.hooks?.afterFetch) await t.hooks.afterFetch(v, fetched);
  const before = remembered?.fingerprint && printText(remembered.fingerprint);
  const isBody = fetched.kind === "body";
  const suspicion = isBody && v.kind === "page" ? t.traps?.suspect(v.url, v.parent) : undefined;
  const isSuspect = suspicion !== undefined || (isBody && (t.mazes?.doubts(v.hash, v.url) ?? false));
  const read = ({ bytes, coded, contentType, robotsTags }: Extract<Fetched, { kind: "body" }>): Promise<ReadResult> =>
    t.reader.read({
      bytes,
      coded,
      contentType,
      robotsTags,
      url: v.url,
      as: v.kind === "sitemap" ? "sitemap" : "page",
      isSuspect,
      sessions: t.sessions?.of(v.host),
      now: t.clock.wall(),
      partsUnless: t.noise && remembered?.bodyHash,
      metadataUnless: before,
    });
  if (!rendering) return { fetched, result: isBody ? await read(fetched) : undefined, suspicion };
  const seen = await rendering.see(v, asked, read);
  return seen === "again" ? { again: true, fetched } : { ...seen, suspicion };
}

async function readWhole(v: Visit, fetched: Extract<Fetched, { kind: "body" }>, known: Reading, t: Tools): Promise<Reading> {
  const { bytes, coded, contentType, robotsTags } = fetched;
  const result = await t.reader.read({
    bytes,
    coded,
    contentType,
    robotsTags,
    url: v.url,
    as: "page",
    sessions: t.sessions?.of(v.host),
    now: t.clock.wall(),
  });
  return "reading" in result && result.reading.body.hash === known.body.hash ? result.reading : known;
}

const look = async (v: Visit, fetched: SeenBody, t: Tools): Promise<Looked | undefined> =>
  v.kind === "page" ? t.hooks?.look?.(v, fetched) : undefined;

const hearOfLinks = async (v: Visit, reading: Reading, { hooks, store }: Tools): Promise<SaidOfLinks | undefined> =>
  v.kind === "page" ? hooks?.scoreLinks?.(v, unpackLinks(reading.packedLinks, store.hashSeed)) : undefined;

/** A page that differs only by noise counts as unchanged, unless it was gone before. */
async function noiseIn(
  v: Visit,
  reading: Reading,
  change: "new" | "changed" | "same" | "unknown",
  remembered: Remembered,
  { noise }: Tools,
): Promise<"new" | "changed" | "same" | "unknown" | "head" | "doubt"> {
  if (!noise || v.kind !== "page" || remembered.isGone || change === "new" || change === "unknown") return change;
  if (reading.body.hash !== remembered.bodyHash) return noise.judge(v, reading, remembered, change);
  await noise.sawSame(v);
  return change;
}

/** Plugins that look at pages get the stored body of an unmodified page. */
async function lookAtStored(v: Visit, remembered: Remembered | undefined, t: Tools): Promise<Looked | undefined> {
  const bytes = remembered?.bodyHash === undefined ? undefined : await t.store.body(remembered.bodyHash);
  return t.hooks?.look?.(v, bytes ? { status: 200, contentType: remembered?.contentType, bytes } : nothingSeen);
}

/** The change of a known page without a readable body. Only a clear answer means "gone"; a failure means "unknown". */
function changeWithout(v: Visit, fetched: Fetched, remembered: Remembered | undefined, { heardAll }: Tools): Change | undefined {
  if (!remembered) return undefined;
  if (v.via === "probe" && heardAll()) return afterProbe(fetched.kind);
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
 * The fingerprint to compare with. If the reader or its options have changed since, the stored body is read again. Without a stored body,
 * equal bytes mean the same page, and any difference means "unknown".
 */
async function comparable(v: Visit, remembered: Remembered, reading: Reading, t: Tools): Promise<Fingerprint | undefined | "unknown"> {
  if (!remembered.fingerprint || remembered.isCurrent || v.kind !== "page") return remembered.fingerprint;
  if (remembered.bodyHash === reading.body.hash) return reading.fingerprint;
  const bytes = remembered.bodyHash === undefined ? undefined : await t.store.body(remembered.bodyHash);
  if (!bytes) return "unknown";
  const again = {
    bytes: Uint8Array.from(bytes),
    contentType: remembered.contentType,
    robotsTags: [],
    url: v.url,
    as: "page",
    sessions: t.sessions?.of(v.host),
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
