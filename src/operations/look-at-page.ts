import type { App } from "../app.ts";
import { type Config, SetupError } from "../config/index.ts";
import type { CrawlEvent } from "../crawl/index.ts";
import type { Change, Page, Reason } from "../records.ts";
import type { NamedBy } from "../seed.ts";
import { lookAt } from "./page-looks.ts";

export interface LookRequest {
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
export interface LookedAt {
  readonly pageId: number;
  readonly url: string;
  readonly status: number;
  readonly change: Change;
  readonly fetchedAt: string;
}

/** Fetches one page as a crawl of its site would, and stores the result: a known page is requested conditionally. */
export async function lookAtPage(app: App, request: LookRequest): Promise<LookedAt | { readonly reason: Reason; readonly rule: string }> {
  const { siteId, url, namedBy, pageId, config, emit = () => undefined, signal } = request;
  const site = (await app.store.sites()).find(({ id }) => id === siteId);
  if (!site) throw new SetupError(`there is no site ${siteId}`, "nuthatch sites lists them");
  const [look] = await lookAt(app, [url], { kind: "look", site, config, root: { url, namedBy }, emit, onStart: () => undefined, signal });
  if (look?.page) return lookedAt(look.page);
  // A page that is gone is also a result.
  const known = pageId === undefined ? undefined : await app.store.page({ id: pageId });
  if (known?.change === "gone") return lookedAt(known);
  return { reason: look!.reason, rule: look!.rule };
}

const lookedAt = ({ id, url, status, change, fetchedAt }: Page): LookedAt => ({ pageId: id, url, status, change, fetchedAt });
