import { afterProbe, type ComparedBy, compare } from "../../analysis/recrawl/index.ts";
import type { MazeGuard, SessionIds, TrapGuard, TrapSuspicion } from "../../analysis/url/index.ts";
import type { Change, Fetched, Fingerprint, Reading, Reason, Remembered, Visit } from "../../core/records.ts";
import type { Exchange, RenderedBy, Store } from "../../store/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import { emptyBody, type Hooks, type PageBody, type PluginLinkScores, type PluginPageData } from "./hooks.ts";
import { unpackLinks } from "./read/link-document.ts";
import { fingerprintText } from "./read/read-setup.ts";
import type { Reader, ReadResult } from "./read/reader.ts";
import type { ReadAnswer, Rendering } from "./read/rendering.ts";
import type { NoiseDetector } from "./settle/noise-detector.ts";

export interface VisitTools {
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
  readonly hasReadAllSources: () => boolean;
  readonly traps: TrapGuard | undefined;
  readonly sessions: SessionIds | undefined;
  readonly mazes: MazeGuard | undefined;
  readonly clock: { wall(): number };
  readonly signal: AbortSignal;
  readonly hooks: Hooks | undefined;
  /** Undefined in a first run, where there is nothing to compare with. */
  readonly noise: NoiseDetector | undefined;
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
  readonly looked?: PluginPageData | undefined;
  /** Scores that plugins gave to its links. */
  readonly said?: PluginLinkScores | undefined;
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
export async function visit(v: Visit, t: VisitTools, headers?: Readonly<Record<string, string>>): Promise<Outcome> {
  const remembered = v.kind === "page" && t.hasHistory ? await t.store.findStored(t.siteIds, v.hash, t.readerName) : undefined;
  const seen = await fetchAndRead(v, t, remembered, headers);
  if ("again" in seen) return { visit: v, fetched: seen.fetched, reading: undefined, change: undefined, remembered, again: "render" };
  const { fetched, result, rendered, trouble, suspicion } = seen;
  if (fetched.kind !== "body" || !result) {
    if (fetched.kind === "not-modified" && remembered) await t.noise?.recordUnchanged(v);
    const pluginData = t.hooks?.look && fetched.kind === "not-modified" ? await inspectStored(v, remembered, t) : undefined;
    return { visit: v, fetched, reading: undefined, change: changeWithoutBody(v, fetched, remembered, t), remembered, looked: pluginData };
  }
  if ("error" in result) return unreadableOutcome(v, fetched, remembered, result.error);
  let { reading } = result;
  const isRenderedOtherwise = remembered?.fingerprint !== undefined && (remembered.isRendered ?? false) !== (rendered !== undefined);
  // Compare like with like: a version stored without a browser with the body fetched without one.
  const comparedReading = isRenderedOtherwise ? seen.raw : reading;
  const known = !comparedReading ? "unknown" : remembered && (await storedFingerprint(v, remembered, comparedReading, t));
  const change =
    known === "unknown"
      ? "unknown"
      : remembered?.isGone && remembered.fingerprint
        ? "changed"
        : compare(comparedReading!.fingerprint, known, t.comparedBy);
  const isProbe = v.via === "probe";
  const isUnlinked = isProbe && t.hasReadAllSources();
  const isKnown = !isUnlinked && comparedReading !== undefined && remembered !== undefined;
  const verdict = isUnlinked ? afterProbe("body") : isKnown ? await noiseVerdict(v, comparedReading, change, remembered, t) : change;
  if (verdict === "doubt") return { visit: v, fetched, reading: undefined, change: undefined, remembered, again: "noise" };
  // The reader skipped metadata because the fingerprint was the stored one; the page did change, so read it again with metadata.
  if (change === "same" && (verdict === "changed" || verdict === "head")) reading = await readWithMetadata(v, fetched, reading, t);
  const linkScores = !t.hooks || isProbe || verdict === "same" ? undefined : await scoreLinksByPlugin(v, reading, t);
  const pluginData = t.hooks && (await inspectPage(v, fetched, t));
  const isHeadOnly = verdict === "head";
  const now = isHeadOnly ? "changed" : verdict;
  return {
    visit: v,
    fetched,
    reading,
    change: now,
    isHead: isHeadOnly,
    remembered,
    suspicion,
    looked: pluginData,
    said: linkScores,
    rendered,
    isOtherWay: isRenderedOtherwise,
    trouble,
  };
}

type ReadVisit = ReadAnswer & { readonly suspicion?: TrapSuspicion | undefined };

/** Fetches the page, with a plain request or a browser, and reads the body. */
async function fetchAndRead(
  v: Visit,
  t: VisitTools,
  remembered: Remembered | undefined,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<ReadVisit | { readonly again: true; readonly fetched: Fetched }> {
  const rendering = v.kind === "page" ? t.rendering : undefined;
  const isFull = t.isFull || (t.noise?.isRefetch(v) ?? false) || (remembered && (await rendering?.willRender(v)));
  // A plugin's headers cannot be sent by a browser, so such a visit uses a plain request.
  const browserAnswer = rendering && headers === undefined ? await rendering.fetchByBrowser(v) : undefined;
  // Send validators only if a 304 can be trusted: the stored reading was made by today's reader with today's options.
  const known = isFull || !remembered?.isCurrent ? undefined : remembered;
  const ask = { url: v.url, turn: v.turn, accept: v.kind, headers, etag: known?.etag, lastModified: known?.lastModified };
  const answer = browserAnswer ?? { fetched: await t.fetcher.fetch(ask, t.signal) };
  const { fetched } = answer;
  if (t.hooks?.afterFetch) await t.hooks.afterFetch(v, fetched);
  const before = remembered?.fingerprint && fingerprintText(remembered.fingerprint);
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
  const seen = await rendering.readAndRender(v, answer, read);
  return seen === "again" ? { again: true, fetched } : { ...seen, suspicion };
}

async function readWithMetadata(v: Visit, fetched: Extract<Fetched, { kind: "body" }>, known: Reading, t: VisitTools): Promise<Reading> {
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

const inspectPage = async (v: Visit, fetched: PageBody, t: VisitTools): Promise<PluginPageData | undefined> =>
  v.kind === "page" ? t.hooks?.look?.(v, fetched) : undefined;

const scoreLinksByPlugin = async (v: Visit, reading: Reading, { hooks, store }: VisitTools): Promise<PluginLinkScores | undefined> =>
  v.kind === "page" ? hooks?.scoreLinks?.(v, unpackLinks(reading.packedLinks, store.hashSeed)) : undefined;

/** A page that differs only by noise counts as unchanged, unless it was gone before. */
async function noiseVerdict(
  v: Visit,
  reading: Reading,
  change: "new" | "changed" | "same" | "unknown",
  remembered: Remembered,
  { noise }: VisitTools,
): Promise<"new" | "changed" | "same" | "unknown" | "head" | "doubt"> {
  if (!noise || v.kind !== "page" || remembered.isGone || change === "new" || change === "unknown") return change;
  if (reading.body.hash !== remembered.bodyHash) return noise.judge(v, reading, remembered, change);
  await noise.recordUnchanged(v);
  return change;
}

/** Plugins that look at pages get the stored body of an unmodified page. */
async function inspectStored(v: Visit, remembered: Remembered | undefined, t: VisitTools): Promise<PluginPageData | undefined> {
  const bytes = remembered?.bodyHash === undefined ? undefined : await t.store.body(remembered.bodyHash);
  return t.hooks?.look?.(v, bytes ? { status: 200, contentType: remembered?.contentType, bytes } : emptyBody);
}

/** The change of a known page without a readable body. Only a clear answer means "gone"; a failure means "unknown". */
function changeWithoutBody(
  v: Visit,
  fetched: Fetched,
  remembered: Remembered | undefined,
  { hasReadAllSources }: VisitTools,
): Change | undefined {
  if (!remembered) return undefined;
  if (v.via === "probe" && hasReadAllSources()) return afterProbe(fetched.kind);
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
async function storedFingerprint(
  v: Visit,
  remembered: Remembered,
  reading: Reading,
  t: VisitTools,
): Promise<Fingerprint | undefined | "unknown"> {
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

function unreadableOutcome(
  v: Visit,
  fetched: Extract<Fetched, { kind: "body" }>,
  remembered: Remembered | undefined,
  detail: string,
): Outcome {
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
