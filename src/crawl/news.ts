import type { HostQueue } from "../frontier/index.ts";
import type { Change, Page, Reading, Reason } from "../records.ts";
import type { HostNews, PageNews } from "../store/index.ts";
import type { CrawlEvent } from "./events.ts";
import type { Outcome } from "./visit.ts";

/** What an outcome says about its page, without the content that was read. */
export function pageNews({ fetched, reading, remembered }: Outcome, change: Change, readerName: string): PageNews {
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
    duplicateOf: undefined,
    nearDuplicateOf: undefined,
    version: undefined,
    // A page of which nothing new was read keeps the name of its old reader, unless the answer vouches for it.
    reader: isBody || (isCached && remembered?.isCurrent) ? readerName : "",
  };
}

/** The record is read only if somebody looks at it. */
export function fetchedEvent(load: () => Page): CrawlEvent {
  let page: Page | undefined;
  return {
    type: "page.fetched",
    get page() {
      page ??= load();
      return page;
    },
  };
}

export function hostNews(host: HostQueue, now: number, leaving: number): HostNews {
  return {
    host: host.name,
    wait: Math.max(0, host.dueAt - now),
    delay: host.delay,
    cause: host.cause,
    failures: host.pace.failures,
    isIdle: host.inFlight <= leaving,
  };
}

/** Two pages of some length that say the same are copies; short ones only if they are the same to the byte. */
export const saysOf = ({ title, fingerprint, wordCount, body }: Reading) =>
  wordCount < 30 ? body.hash : `${fingerprint.text} ${title?.value ?? ""}`;

/** Why a page that was fetched says little of its own. */
export function duplicateReason({ visit, reading }: Outcome, twinUrl: string | undefined): { reason: Reason; rule: string } | undefined {
  if (twinUrl !== undefined) return { reason: "duplicate.content", rule: `same text and links as ${twinUrl}` };
  const { canonical } = reading!;
  if (canonical === undefined || canonical === visit.url || canonical === visit.key) return undefined;
  return { reason: "duplicate.canonical", rule: `names ${canonical} as its canonical address` };
}
