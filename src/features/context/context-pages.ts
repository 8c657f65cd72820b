import { outlineOf, type PackPage } from "../../analysis/context/index.ts";
import { EXTRACTOR_VERSION, valuesOf } from "../../analysis/extract/index.ts";
import { READER_VERSION, seenLetters } from "../../analysis/parse/index.ts";
import type { Fetched, Page, PageMetadata, PageVerdict } from "../../core/records.ts";
import type { Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { FetchRequest } from "../../engine/fetch/index.ts";
import type { Version } from "../../store/index.ts";
import { startTemporaryRun } from "../crawl/temporary-run.ts";
import { singlePageConfig } from "../fetch-page/one-page.ts";
import { readPage as read } from "../read-page/page-reader.ts";

/** A page of a context before it is read. */
export interface FoundPage {
  readonly page: Page;
  readonly relevance: number;
  readonly anchor: string;
}

/** A page of a context as it was read, and its version. It is not read again while that version is the latest. */
export interface ReadPage {
  readonly pageId: number;
  readonly versionId: number;
  readonly page: PackPage;
}

/** Pages of a context and the identity of the reader that made them. If that differs now, they are read again. */
export interface Reading {
  readonly reader: string;
  readonly pages: readonly ReadPage[];
}

export type PageRead = { readonly found: FoundPage } & ({ readonly read: ReadPage } | UnreadReason);

/** Raise it when the same page may be read differently. */
const PAGES_VERSION = 4;

/** Reads the current pages of a context; unchanged pages are taken from the previous reading. */
export async function readPages(
  app: App,
  found: readonly FoundPage[],
  { before, ...options }: Pick<ReadOptions, "config" | "root"> & { readonly before: Reading | undefined },
): Promise<{ readonly reader: string; readonly pages: PageRead[] }> {
  const repeated = await repeatedBlocksAmong(app, found);
  const reader = [PAGES_VERSION, READER_VERSION, EXTRACTOR_VERSION, setNameOf(repeated)].join(".");
  const known = before?.reader === reader ? new Map(before.pages.map((page) => [page.versionId, page])) : new Map<number, ReadPage>();
  const pages: PageRead[] = [];
  for (const one of found) {
    const [version] = await app.store.versions(one.page.id);
    const { relevance, anchor, page } = one;
    const earlier = version && known.get(version.id);
    if (earlier) pages.push({ found: one, read: { ...earlier, page: { ...earlier.page, relevance, anchor } } });
    else if (!version) pages.push({ found: one, reason: "type", rule: "nothing of it is stored" });
    else {
      const made = await readPage(app, one, version, { ...options, repeated, isRoot: one === found[0] });
      pages.push({ found: one, ...("page" in made ? { read: { pageId: page.id, versionId: version.id, page: made.page } } : made) });
    }
  }
  return { reader, pages };
}

interface ReadOptions {
  readonly config: Config;
  /** The seed that was named; no other private host is open. */
  readonly root: Seed;
  readonly repeated: ReadonlySet<number>;
  /** The named page is used whatever its verdict is. */
  readonly isRoot: boolean;
}

interface UnreadReason {
  readonly reason: string;
  readonly rule: string;
}

interface Text {
  readonly markdown: string;
  readonly title: string;
  /** Number of invisible characters. */
  readonly hidden?: number | undefined;
}

type ReadResult = { readonly page: PackPage } | UnreadReason;

async function readPage(app: App, found: FoundPage, version: Version, options: ReadOptions): Promise<ReadResult> {
  const { config, repeated, isRoot } = options;
  const { page, anchor, relevance } = found;
  const bytes = (version.bodyHash && (await app.store.body(version.bodyHash))) || (await fetchAgain(app, page.url, options));
  if (!bytes) return { reason: "type", rule: "its body is not stored, and was not to be had again" };
  const body = { url: page.url, bytes, contentType: page.contentType ?? undefined };
  const { metadata, verdict } = await metadataFor(app, page, body, config);
  if (verdict !== "ok" && !isRoot) return { reason: verdict, rule: verdictWords[verdict] };
  const text = await textOf(app, body, metadata.title?.value, repeated);
  if ("rule" in text) return text;
  const title = metadata.title?.value || text.title || anchor || page.url;
  const since = new Date(version.fetchedAt).toISOString();
  const { hidden } = text;
  return {
    page: {
      ...{
        url: page.url,
        title: seenLetters(title),
        metadata: plainValues(metadata),
        ...outlineOf(text.markdown),
        relevance,
        anchor,
        since,
      },
      ...(hidden !== undefined && { hidden }),
    },
  };
}

interface Body {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

const isPdf = ({ bytes }: Body) => Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";

async function textOf(app: App, body: Body, title: string | undefined, repeated: ReadOptions["repeated"]): Promise<Text | UnreadReason> {
  if (isPdf(body)) {
    const pdf = await (await import("../read-page/pdf-text.ts")).pdfMarkdown(body.bytes);
    return "trouble" in pdf ? { reason: "type", rule: pdf.trouble } : { ...pdf, markdown: seenLetters(pdf.markdown) };
  }
  const main = await read(app, "main", { body, form: "markdown", title, repeated }, [body.bytes]);
  if ("error" in main) return { reason: "parse", rule: main.error };
  return main.answer
    ? { markdown: withoutFrontMatter(main.answer.written), title: "", hidden: main.answer.hidden }
    : { reason: "type", rule: `${body.contentType ?? "what came"} is not text` };
}

/** Longest front matter that is recognized and removed. */
const MAX_FRONT_MATTER = 5000;

function withoutFrontMatter(markdown: string): string {
  if (!/^---\r?\n/.test(markdown)) return markdown;
  const end = /\n---\r?\n/.exec(markdown.slice(0, MAX_FRONT_MATTER));
  return end ? markdown.slice(end.index + end[0].length) : markdown;
}

/** Fetches a page again, if the crawl stored no bodies. */
async function fetchAgain(app: App, url: string, { config, root }: ReadOptions): Promise<Uint8Array | undefined> {
  let bytes: Uint8Array | undefined;
  const onFetched = ({ accept }: FetchRequest, fetched: Fetched) => {
    if (accept === "page" && fetched.kind === "body") bytes = fetched.bytes;
  };
  const run = await startTemporaryRun(app, {
    seeds: [{ url, namedBy: "page" }],
    named: [root],
    config: singlePageConfig(config, true),
    onFetched,
    readsNothing: true,
  });
  try {
    await run.control.result;
    return bytes;
  } finally {
    await run.close();
  }
}

interface KnownMetadata {
  readonly metadata: PageMetadata;
  readonly verdict: PageVerdict;
}

/** Metadata is extracted here if the page comes from a crawl without metadata. */
async function metadataFor(app: App, page: Page, body: Body, { cascade, topics }: Config): Promise<KnownMetadata> {
  if (page.verdict !== null || isPdf(body)) return { metadata: page.metadata, verdict: page.verdict ?? "ok" };
  const options = { cascade, topics, now: app.world.clock.wall() };
  const result = await read(app, "metadata", { body, how: options }, [body.bytes]);
  const made = "answer" in result ? result.answer : undefined;
  return made
    ? { metadata: { ...valuesOf(made), ...page.metadata }, verdict: made.verdict.value ?? "ok" }
    : { metadata: page.metadata, verdict: "ok" };
}

export const verdictWords: Readonly<Record<PageVerdict, string>> = {
  ok: "",
  "soft-404": "says that there is no such page",
  "bot-wall": "shows a check for robots instead of the page",
  "consent-wall": "shows a question about consent instead of the page",
  "login-wall": "shows a login instead of the page",
  "script-shell": "is empty until scripts have run",
  parked: "is a parked domain",
};

/** Values without their sources: a context cites its pages instead. */
function plainValues({ title: _, ...fields }: PageMetadata): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { value }]) => [name, name === "topics" ? namesIn(value) : visibleValue(value)]),
  );
}

const visibleValue = (value: unknown) => (typeof value === "string" ? seenLetters(value) : value);

const namesIn = (topics: unknown) => (topics as readonly { readonly name: string }[]).map(({ name }) => name);

/** Least number of pages for judging what repeats. */
const MIN_PAGES = 3;
const REPEATED_SHARE = 0.8;
/** Only the most recent pages are searched; those of the context are among them. */
const MAX_EXAMINED = 500;

/** Repeated blocks of the site as its crawls have learned them; without that, the blocks on nearly all pages of the context. */
async function repeatedBlocksAmong(app: App, found: readonly FoundPage[]): Promise<ReadonlySet<number>> {
  const siteId = found[0]?.page.siteId ?? 0;
  const learned = await app.store.metadata.boilerplate(siteId);
  if (learned?.length) return new Set(learned);
  const urls = new Set(found.map(({ page }) => page.url));
  const times = new Map<number, number>();
  let pages = 0;
  for await (const { url, blocks } of app.store.metadata.blocks(siteId, MAX_EXAMINED)) {
    if (!urls.has(url)) continue;
    pages += 1;
    for (const block of new Set(blocks)) times.set(block, (times.get(block) ?? 0) + 1);
  }
  if (pages < MIN_PAGES) return new Set();
  return new Set([...times].filter(([, count]) => count >= Math.max(MIN_PAGES, REPEATED_SHARE * pages)).map(([block]) => block));
}

/** A name for the set, independent of its order. */
function setNameOf(numbers: ReadonlySet<number>): string {
  let name = 0;
  for (const number of numbers) name = (name + Math.imul(number ^ (number >>> 15), 0x2c1b3c6d)) >>> 0;
  return `${numbers.size}-${name.toString(36)}`;
}
