import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { hash64, type KeyOptions, keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import type { Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { Config, SetupError } from "../../engine/config/index.ts";
import {
  PartFile,
  SITEMAP_BYTES,
  SITEMAP_END,
  SITEMAP_HEAD,
  SITEMAP_URLS,
  sitemapEntry,
  sitemapIndex,
} from "../../engine/formats/index.ts";
import type { ExportRequest, ExportTarget, StreamFormat } from "./export-formats.ts";
import { exportedSite } from "./export-site.ts";
import { ExportTally, readablePages } from "./export-tally.ts";

/** One file if it fits the limits of a sitemap; else an index, with its files beside it. */
export const sitemapFormat: StreamFormat = {
  writes: "stream",
  async *parts(app, request) {
    const site = await exportedSite(app, request.range, "a sitemap");
    const files = await filesNeeded(app, request);
    if (files > 1) {
      const names = await writeFiles(app, request, files);
      yield sitemapIndex(names.map((name) => new URL(`/${name}`, site.url).href));
      return;
    }
    yield SITEMAP_HEAD;
    for await (const entry of entriesOf(app, request)) yield entry;
    yield SITEMAP_END;
  },
};

async function* entriesOf(app: App, { range, tally }: ExportRequest): AsyncGenerator<string> {
  const isCanonical = canonicalFilter(app);
  for await (const page of readablePages(app, range, tally)) {
    const [version] = await app.store.versions(page.id);
    const entry = sitemapEntry({ url: page.url, changedAt: new Date(version?.fetchedAt ?? page.fetchedAt).toISOString() });
    if (entry === undefined) continue;
    if (!(await isCanonical(page))) {
      tally.countLeftOut("canonical");
      continue;
    }
    tally.written += 1;
    yield entry;
  }
}

/** Assigns entries to files by the size limits. */
class FileSplitter {
  files = 1;
  #urls = 0;
  #bytes = SITEMAP_HEAD.length + SITEMAP_END.length;

  /** Returns whether this entry starts a new file. */
  startsNewFile(entry: string): boolean {
    const isFull = this.#urls === SITEMAP_URLS || this.#bytes + entry.length > SITEMAP_BYTES;
    if (isFull) {
      this.files += 1;
      this.#urls = 0;
      this.#bytes = SITEMAP_HEAD.length + SITEMAP_END.length;
    }
    this.#urls += 1;
    this.#bytes += entry.length;
    return isFull;
  }
}

/** A dry count: all times have the same length, and URLs are ASCII, so that lengths are byte counts. */
async function filesNeeded(app: App, { range }: ExportRequest): Promise<number> {
  const splitter = new FileSplitter();
  for await (const { url, fetchedAt } of readablePages(app, range, new ExportTally()))
    splitter.startsNewFile(sitemapEntry({ url, changedAt: fetchedAt }) ?? "");
  return splitter.files;
}

async function writeFiles(app: App, request: ExportRequest, files: number): Promise<string[]> {
  const { file } = request;
  if (!file)
    throw new SetupError(
      `a sitemap holds ${SITEMAP_URLS.toLocaleString("en")} addresses, and there are more`,
      "name a file: nuthatch export sitemap -o sitemap.xml writes an index, and the others beside it",
    );
  const pathOf = (number: number) => join(dirname(file.path), `${basename(file.path).replace(/\.xml(?:\.gz)?$/i, "")}-${number}.xml`);
  const paths = Array.from({ length: files }, (_, index) => pathOf(index + 1));
  refuseExisting(paths, file);
  const splitter = new FileSplitter();
  let part = new PartFile(paths[0]!);
  part.add(SITEMAP_HEAD);
  for await (const entry of entriesOf(app, request)) {
    if (splitter.startsNewFile(entry)) {
      part.add(SITEMAP_END);
      part.close();
      part = new PartFile(pathOf(splitter.files));
      part.add(SITEMAP_HEAD);
    }
    part.add(entry);
  }
  part.add(SITEMAP_END);
  part.close();
  return Array.from({ length: splitter.files }, (_, index) => basename(pathOf(index + 1)));
}

function refuseExisting(paths: readonly string[], { path, isReplacing }: ExportTarget): void {
  const existing = isReplacing ? undefined : paths.find((each) => existsSync(each));
  if (existing) throw new SetupError(`${existing} exists already`, `-O ${path} replaces it`);
}

/** False for a page whose canonical URL is another stored page: it does not belong in a sitemap. */
function canonicalFilter({ store }: App): (page: Page) => Promise<boolean> {
  const keys = new Map<number, KeyOptions>();
  return async ({ url, canonicalUrl, crawlId }) => {
    if (canonicalUrl === null || canonicalUrl === url) return true;
    const options = keys.get(crawlId) ?? keyOptionsOf(Config.parse((await store.run(crawlId))?.options ?? {}));
    keys.set(crawlId, options);
    const key = resolve(canonicalUrl, undefined, options)?.key;
    const named = key === undefined ? undefined : await store.page({ hash: hash64(key, store.hashSeed) });
    return named === undefined || named.url === url || named.change === "gone";
  };
}
