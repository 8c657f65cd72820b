import type { Fetched, Reason } from "../../core/records.ts";
import type { NamedBy } from "../../core/seed.ts";
import type { App, World } from "../../engine/app.ts";
import { type Config, type ConfigInput, parseDuration, resolveConfig } from "../../engine/config/index.ts";
import { KeyedLimiter } from "../../engine/fetch/index.ts";
import { checkCrawl } from "../crawl/crawl.ts";
import { withTemporaryApp } from "../crawl/temporary-app.ts";
import { type GetProgress, type Headers, hostWaitReason, REDIRECT_LOOP, startTemporaryRun } from "../crawl/temporary-run.ts";
import { pageByUrl } from "../pages/find.ts";
import { prepareReader, readPage } from "../read-page/page-reader.ts";
import { repeatedBlocksOf } from "./boilerplate.ts";
import { singlePageConfig } from "./one-page.ts";
import type { FormMetadata, PageForm, PageForms, WantedForms } from "./page-forms.ts";

export interface FetchRequest {
  readonly url: string;
  readonly namedBy: NamedBy;
  readonly config: Config;
  readonly forms: readonly PageForm[];
  /** The main part of the page, or all of it. */
  readonly part: "main" | "whole";
  /** A stored copy is used if it is at most this old, in milliseconds. */
  readonly maxAge?: number | undefined;
  /** Whether to include the other candidates of each metadata field. */
  readonly showSources?: boolean | undefined;
  readonly onStart?: ((look: GetProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One page in the requested forms, or the reason why there is none. */
export interface FetchedPage extends PageForms {
  readonly url: string;
  /** After redirects. */
  readonly finalUrl: string;
  readonly ok: boolean;
  /** `ok`, or why it failed, with the rule behind it. */
  readonly reason: Reason;
  readonly rule: string;
  readonly status: number | null;
  readonly contentType: string | null;
  readonly fetchedAt: string;
  /** Whether it is a copy from the data file. */
  readonly isStored: boolean;
  /** The browser engine that rendered it. */
  readonly renderedBy: string | null;
  readonly redirects: readonly string[];
  readonly headers: Headers;
  readonly metadata: FormMetadata;
}

/** Fetches one page like a crawl: robots.txt, turns, redirects, address guard and limits apply. Stores nothing. */
export async function fetchOnePage(app: App, request: FetchRequest): Promise<FetchedPage> {
  const [seed] = checkCrawl([request], request.config);
  const stored = request.maxAge === undefined ? undefined : await storedPage(app, seed!.url, request);
  if (stored) return stored;
  return request.config.render === "never" ? requestPage(app, seed!.url, request) : requestWithBrowser(app, seed!.url, request);
}

/** Limits concurrent browsers, because they are large and each page that may be rendered starts its own. */
const browserSlots = new KeyedLimiter(2);
const never = new AbortController().signal;

async function requestWithBrowser(app: App, url: string, request: FetchRequest): Promise<FetchedPage> {
  await app.world.checkBrowsers?.(request.config);
  await browserSlots.acquire("", request.signal ?? never);
  return requestPage(app, url, request).finally(() => browserSlots.release(""));
}

async function requestPage(app: App, url: string, request: FetchRequest): Promise<FetchedPage> {
  request.signal?.throwIfAborted();
  const redirects: string[] = [];
  let last: { url: string; fetched: Fetched; headers: Headers; renderedBy: string | undefined } | undefined;
  const run = await startTemporaryRun(app, {
    seeds: [{ url, namedBy: request.namedBy }],
    config: singlePageConfig(request.config, request.forms.includes("raw")),
    readsNothing: true,
    onFetched: (ask, fetched, headers, renderedBy) => {
      if (ask.accept !== "page") return;
      if (fetched.kind === "moved") redirects.push(fetched.location);
      last = { url: ask.url, fetched, headers, renderedBy };
    },
  });
  request.onStart?.(run.control.progress);
  prepareReader(app);
  const stop = () => run.control.abort();
  request.signal?.addEventListener("abort", stop, { once: true });
  try {
    const { seeds } = await run.control.result;
    request.signal?.throwIfAborted();
    const { url: finalUrl = url, fetched, headers = [], renderedBy = null } = last ?? {};
    const isWaiting = seeds.some(({ verdict }) => verdict === "queued");
    const refusal = seeds.find(({ reason }) => reason !== "ok" && reason !== "duplicate.redirect") ?? REDIRECT_LOOP;
    const outcome = isWaiting ? hostWaitReason(run, redirects.at(-1) ?? url) : refusal;
    const status = fetched !== undefined && "status" in fetched ? (fetched.status ?? null) : null;
    const fetchedAt = new Date(app.world.clock.wall()).toISOString();
    const known = { url, finalUrl, status, redirects, headers, renderedBy, isStored: false, fetchedAt };
    if (fetched?.kind !== "body")
      return { ...known, ok: false, reason: outcome.reason, rule: outcome.rule, contentType: typeIn(headers), metadata: {} };
    return { ...known, ...(await read(app, { url: finalUrl, bytes: fetched.bytes, contentType: fetched.contentType }, request)) };
  } finally {
    request.signal?.removeEventListener("abort", stop);
    await run.close();
  }
}

async function storedPage(app: App, url: string, request: FetchRequest): Promise<FetchedPage | undefined> {
  const page = await pageByUrl(app, url);
  if (!page || app.world.clock.wall() - Date.parse(page.fetchedAt) > request.maxAge!) return undefined;
  const [version] = await app.store.versions(page.id);
  const bytes = version?.bodyHash ? await app.store.body(version.bodyHash) : undefined;
  if (!bytes) return undefined;
  const { status, fetchedAt } = page;
  const { renderedBy } = version!;
  const known = { url, finalUrl: page.url, status, redirects: [], headers: [], renderedBy, isStored: true, fetchedAt };
  const repeated = await repeatedBlocksOf(app, page.siteId);
  const body = { url: page.url, bytes, contentType: page.contentType ?? undefined };
  return { ...known, ...(await read(app, body, { ...request, repeated })) };
}

async function read(
  app: App,
  body: { url: string; bytes: Uint8Array; contentType: string | undefined },
  request: FetchRequest & Pick<WantedForms, "repeated">,
) {
  const contentType = body.contentType ?? null;
  const { config, forms: wantedForms, part, showSources, repeated, signal } = request;
  const { cascade, topics } = config;
  const wanted = { forms: wantedForms, part, showSources, repeated, cascade, topics, now: app.world.clock.wall() };
  const raw = wantedForms.includes("raw") && { raw: body.bytes };
  const result = await readPage(app, "forms", { body, wanted }, [body.bytes], signal);
  if ("error" in result) {
    // The raw body does not depend on the reader.
    if (raw && wantedForms.length === 1) return { ok: true, reason: "ok" as const, rule: "", contentType, metadata: {}, ...raw };
    return { ok: false, reason: "parse" as const, rule: result.error, contentType, metadata: {} };
  }
  const { metadata, forms } = result.answer;
  if (forms !== undefined) return { ok: true, reason: "ok" as const, rule: "", contentType, metadata, ...forms, ...raw };
  return { ok: false, reason: "type" as const, rule: `${contentType ?? "what came"} is not text`, contentType, metadata };
}

const typeIn = (headers: Headers) => headers.find(([name]) => name === "content-type")?.[1] ?? null;

export type FetchPageOptions = ConfigInput & {
  /** A data file whose turns, robots.txt and stored pages are used. It is not created. */
  readonly db?: string;
  /** Default: markdown. */
  readonly forms?: readonly PageForm[];
  readonly part?: "main" | "whole";
  /** A stored copy is used if it is at most this old: "1h", or a number of seconds. */
  readonly maxAge?: string | number;
  /** Whether to include the other candidates of each metadata field. */
  readonly showSources?: boolean;
  readonly signal?: AbortSignal;
  /** Clock and network for tests: see nuthatch/testing. */
  readonly world?: World;
};

/** One page as Markdown, or in other forms. Failures of the network are values: check `ok` and `reason`. */
export async function fetchPage(url: string, options: FetchPageOptions = {}): Promise<FetchedPage> {
  const { db, forms = ["markdown"], part = "main", maxAge, showSources, signal, world, ...values } = options;
  const config = resolveConfig([{ from: "the options of fetchPage()", values }]);
  const age = maxAge === undefined ? undefined : parseDuration("maxAge", maxAge, 'maxAge: "10m", "2h" or "7d"');
  return withTemporaryApp({ db, world }, (app) =>
    fetchOnePage(app, { url, namedBy: "library", config, forms, part, maxAge: age, showSources, signal }),
  );
}
