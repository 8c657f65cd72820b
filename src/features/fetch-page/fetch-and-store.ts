import type { Change, Page, Reason } from "../../core/records.ts";
import type { NamedBy } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import { type Config, SetupError } from "../../engine/config/index.ts";
import type { CrawlEvent } from "../../engine/crawl/index.ts";
import { fetchPages } from "./single-pages.ts";

export interface PageFetchRequest {
  readonly siteId: number;
  readonly url: string;
  readonly namedBy: NamedBy;
  /** Set if the page is stored. */
  readonly pageId?: number | undefined;
  readonly config: Config;
  readonly emit?: ((event: CrawlEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The page as stored afterwards. */
export interface StoredPageResult {
  readonly pageId: number;
  readonly url: string;
  readonly status: number;
  readonly change: Change;
  readonly fetchedAt: string;
}

/** Fetches one page as a crawl of its site would, and stores the result: a known page is requested conditionally. */
export async function fetchAndStore(
  app: App,
  request: PageFetchRequest,
): Promise<StoredPageResult | { readonly reason: Reason; readonly rule: string }> {
  const { siteId, url, namedBy, pageId, config, emit = () => undefined, signal } = request;
  const site = (await app.store.sites()).find(({ id }) => id === siteId);
  if (!site) throw new SetupError(`there is no site ${siteId}`, "nuthatch sites lists them");
  const [result] = await fetchPages(app, [url], {
    kind: "look",
    site,
    config,
    root: { url, namedBy },
    emit,
    onStart: () => undefined,
    signal,
  });
  if (result?.page) return storedResultOf(result.page);
  // A page that is gone is also a result.
  const known = pageId === undefined ? undefined : await app.store.page({ id: pageId });
  if (known?.change === "gone") return storedResultOf(known);
  return { reason: result!.reason, rule: result!.rule };
}

const storedResultOf = ({ id, url, status, change, fetchedAt }: Page): StoredPageResult => ({ pageId: id, url, status, change, fetchedAt });
