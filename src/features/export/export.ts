import type { Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { unpackLinks } from "../../engine/crawl/index.ts";
import { flatPage } from "../../engine/formats/index.ts";
import { scoringOf, storedPages } from "../pages/stored-pages.ts";
import type { ExportRequest } from "./export-formats.ts";
import { type ExportTally, isIncluded } from "./export-tally.ts";

export const exported = ["pages", "links", "changes", "decisions"] as const;
export type Exported = (typeof exported)[number];

export interface ExportRange {
  readonly siteId?: number | undefined;
  readonly runId?: number | undefined;
  /** Only what was first seen at or after this time. */
  readonly since?: number | undefined;
  /** Include pages that turned out to be walls, errors or shells. */
  readonly anyVerdict?: boolean | undefined;
  /** Include noindex pages, in formats that leave them out. */
  readonly includeNoindex?: boolean | undefined;
  /** Maximum number, in formats that list the latest. */
  readonly limit?: number | undefined;
}

/** Streams the records of an export. `isFlat` is for tables: no nested values. */
export async function* exportRecords(
  app: App,
  { what, range, tally }: ExportRequest,
  isFlat: boolean,
): AsyncGenerator<Record<string, unknown>> {
  for await (const record of recordsOf(app, what, range, tally)) {
    tally.written += 1;
    yield isFlat && what === "pages" ? flatPage(record as unknown as Page) : record;
  }
}

async function* recordsOf(app: App, what: Exported, range: ExportRange, tally: ExportTally): AsyncGenerator<Record<string, unknown>> {
  const { siteId, runId, since } = range;
  const isOk = ({ verdict }: Pick<Page, "verdict">) => isIncluded({ verdict, noindex: false }, range, tally);
  switch (what) {
    case "pages":
      for await (const page of storedPages(app, { siteId, runId, since })) if (isOk(page)) yield { ...page };
      return;
    case "links":
      yield* links(app, range);
      return;
    case "changes":
      for (const run of await runsOf(app, range)) {
        for await (const { at, ...change } of app.store.changes(run, siteId))
          if (at >= (since ?? 0) && isOk(change)) yield { ...change, at: new Date(at).toISOString() };
      }
      return;
    case "decisions":
      for (const run of await runsOf(app, range)) {
        for await (const { at, key: _, ...decision } of app.store.decisions({ runId: run, siteId }))
          if (at >= (since ?? 0)) yield { ...decision, at: new Date(at).toISOString() };
      }
      return;
    default:
      what satisfies never;
  }
}

/** Runs whose changes or decisions are exported: the named one, those since a time, or the latest. */
async function runsOf(app: App, { runId, siteId, since }: ExportRange): Promise<number[]> {
  if (runId !== undefined) return [runId];
  const runs = await app.store.runs({ kind: "crawl", siteId, ...(since === undefined && { limit: 1 }) });
  return runs
    .filter(({ endedAt }) => since === undefined || (endedAt ?? since) >= since)
    .map(({ id }) => id)
    .reverse();
}

async function* links(app: App, range: ExportRange): AsyncGenerator<Record<string, unknown>> {
  const { store } = app;
  const scores = await pageScores(app);
  for await (const { pageId, siteId, page, packed } of store.linkDocuments(range)) {
    const linkScores = await scores?.(pageId, siteId);
    for (const { hash, url, text, title, heading, block, rel, kind, position } of unpackLinks(packed, store.hashSeed)) {
      yield {
        page,
        url,
        text,
        title,
        heading,
        block,
        rel,
        kind,
        position,
        ...(linkScores && (linkScores.get(`${hash.hi}.${hash.lo}`) ?? NO_SCORE)),
      };
    }
  }
}

const NO_SCORE = { score: 0, keywords: {} };

/** Scores of a page's links, by hash; undefined if no site has keywords. */
async function pageScores({ store }: App) {
  const scoring = await scoringOf(store);
  if (!scoring) return undefined;
  return async (pageId: number, siteId: number) =>
    new Map(
      (await store.links.onPage(pageId)).map(({ hash, matches }) => [
        `${hash.hi}.${hash.lo}`,
        { score: scoring(siteId, matches), keywords: Object.fromEntries(matches.map(({ word, match }) => [word, match])) },
      ]),
    );
}
