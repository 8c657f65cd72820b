import { addObservation, type Observation } from "../../../analysis/recrawl/index.ts";
import { type Change, type Fetched, type Page, type PageMetadata, REAPPEARED, type Reading, type Reason } from "../../../core/records.ts";
import type { HostUpdate, LinkToStore, PageUpdate, SettledVisit, SettleResult, VersionToStore } from "../../../store/index.ts";
import type { HostQueue } from "../../frontier/index.ts";
import type { AdmissionPlan } from "../admit/mention.ts";
import type { CrawlEvent } from "../events.ts";
import { packIndex } from "../read/link-set.ts";
import type { Outcome } from "../visit.ts";

type StoredContent = Pick<PageUpdate, "version" | "duplicateOf" | "nearDuplicateOf" | "isReread">;

/** The stored facts of an outcome's page, with its content where that was read. */
export function pageUpdateOf(
  { fetched, reading, remembered, rendered, isHead: isHeadOnly }: Outcome,
  change: Change,
  readerName: string,
  kept?: StoredContent,
): PageUpdate {
  const isBody = fetched.kind === "body";
  const isCached = fetched.kind === "not-modified";
  return {
    status: isCached ? 200 : (("status" in fetched ? fetched.status : undefined) ?? 0),
    change,
    contentType: isBody ? fetched.contentType : undefined,
    bytes: isBody ? (reading?.body.size ?? 0) : 0,
    duration: fetched.timing.duration,
    etag: isBody || isCached ? fetched.etag : undefined,
    lastModified: isBody || isCached ? fetched.lastModified : undefined,
    fromCache: isCached,
    movedTo: fetched.kind === "moved" ? fetched.location : undefined,
    duplicateOf: kept?.duplicateOf,
    nearDuplicateOf: kept?.nearDuplicateOf,
    version: kept?.version,
    ...(isHeadOnly && { detail: "head" }),
    ...(change === "changed" && isBody && remembered?.isGone && { detail: REAPPEARED }),
    isReread: kept?.isReread ?? false,
    rendered,
    // Without a new reading the page keeps the name of its old reader, unless a 304 confirms the current reading.
    reader: isBody || (isCached && remembered?.isCurrent) ? readerName : "",
    history:
      remembered && (change === "changed" || change === "same")
        ? addObservation(remembered.history, observationOf(fetched, change))
        : undefined,
  };
}

function observationOf(fetched: Fetched, change: "changed" | "same"): Observation {
  const modifiedAt = "lastModified" in fetched && fetched.lastModified !== undefined ? Date.parse(fetched.lastModified) : Number.NaN;
  return { at: fetched.timing.startedAt, changed: change === "changed", modifiedAt: Number.isNaN(modifiedAt) ? undefined : modifiedAt };
}

/** Loads the record on first access, so that it costs nothing if no listener reads it. */
function pageEvent(type: "page.fetched" | "page.gone", load: () => Page, data: unknown): CrawlEvent {
  let page: Page | undefined;
  return {
    type,
    get page() {
      page ??= load();
      return page;
    },
    ...(data !== undefined && { data }),
  };
}

export function hostUpdateOf(host: HostQueue, now: number, settledRequests: number): HostUpdate {
  return {
    host: host.name,
    wait: Math.max(0, host.dueAt - now),
    delay: host.delay,
    cause: host.cause,
    failures: host.pace.failures,
    isIdle: host.inFlight <= settledRequests,
  };
}

/**
 * The text to compare for copies: text and title, or for pages under 30 words the exact bytes, because short texts are often equal by
 * chance.
 */
export const textKeyOf = ({ title, fingerprint, wordCount, body }: Reading) =>
  wordCount < 30 ? body.hash : `${fingerprint.text} ${title?.value ?? ""}`;

/** The reason for a fetched page that is a duplicate. */
export function duplicateReason({ visit, reading }: Outcome, twinUrl: string | undefined): { reason: Reason; rule: string } | undefined {
  if (twinUrl !== undefined) return { reason: "duplicate.content", rule: `same text and links as ${twinUrl}` };
  const { canonical } = reading!;
  if (canonical === undefined || canonical === visit.url || canonical === visit.key) return undefined;
  return { reason: "duplicate.canonical", rule: `names ${canonical} as its canonical address` };
}

/** What is stored of a reading; `rows` are the links that are also stored one by one. */
export function versionOf(reading: Reading, rows: readonly LinkToStore[]): VersionToStore {
  const { metadata: read } = reading;
  return {
    fingerprint: reading.fingerprint,
    metadata: read?.values ?? basicMetadata(reading),
    read,
    words: reading.words,
    canonical: reading.canonical,
    noindex: reading.noindex,
    nofollow: reading.nofollow,
    type: reading.type,
    charset: reading.charset,
    wordCount: reading.wordCount,
    linkCount: reading.linkCount,
    linkIndex: packIndex(reading.links),
    packedLinks: reading.packedLinks,
    links: rows,
    body: reading.body,
  };
}

/** Written field by field: one is made per page, and conditional spreads take ten times as long. */
function basicMetadata({ title, description, lang, pageType }: Reading): PageMetadata {
  const metadata: { -readonly [Field in keyof PageMetadata]: PageMetadata[Field] } = {};
  if (title) metadata.title = title;
  if (description) metadata.description = description;
  if (lang) metadata.lang = lang;
  if (pageType) metadata.type = pageType;
  return metadata;
}

/** Emits the events of a batch that is now on disk. */
export function emitEvents(
  emit: (event: CrawlEvent) => void,
  plan: AdmissionPlan,
  visits: readonly SettledVisit[],
  outcomes: readonly Outcome[],
  { pages, seqs }: Pick<SettleResult, "pages" | "seqs">,
  hosts: readonly HostUpdate[],
): void {
  for (const [index, settled] of visits.entries()) {
    const page = pages[index];
    const type = settled.page?.change === "gone" ? "page.gone" : "page.fetched";
    if (page) emit(pageEvent(type, page, outcomes[index]?.looked?.data));
    const { candidate, depth, verdict, reason, rule, status } = settled;
    const durationMs = Math.round(outcomes[index]?.fetched.timing.duration ?? 0);
    emit({ type: "url.settled", url: candidate.url, depth, verdict, reason, rule, status, seq: seqs[index], durationMs });
  }
  for (const { from, ...heard } of plan.linkResults) emit({ type: "link.heard", from: from.url ?? "", ...heard });
  for (const { host, cause, wait } of hosts) {
    if (cause !== "rate" && cause !== "crawl-delay") emit({ type: "host.slowed", host, cause, waitMs: Math.round(wait) });
  }
}
