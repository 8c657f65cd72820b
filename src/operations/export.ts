import type { App } from "../app.ts";
import { unpackLinks } from "../crawl/index.ts";
import { flatPage } from "../export/index.ts";
import { scoringOf, storedPages } from "./stored-pages.ts";

export const exported = ["pages", "links", "changes", "decisions"] as const;
export type Exported = (typeof exported)[number];

export interface ExportRange {
  readonly siteId?: number | undefined;
  readonly runId?: number | undefined;
  /** Also pages that turned out to be walls, errors or shells. */
  readonly anyVerdict?: boolean | undefined;
}

/** The records of an export, one at a time. `isFlat` is for tables: no nested values. */
export async function* exportRecords(
  app: App,
  what: Exported,
  range: ExportRange,
  isFlat: boolean,
): AsyncGenerator<Record<string, unknown>> {
  switch (what) {
    case "pages":
      for await (const page of storedPages(app, { ...range, isOk: !range.anyVerdict })) yield isFlat ? flatPage(page) : { ...page };
      return;
    case "links":
      yield* links(app, range);
      return;
    case "changes":
      for (const runId of await runsOf(app, range)) {
        for await (const { at, ...change } of app.store.changes(runId))
          if (range.anyVerdict || (change.verdict ?? "ok") === "ok") yield { ...change, at: new Date(at).toISOString() };
      }
      return;
    case "decisions":
      for (const runId of await runsOf(app, range)) {
        for await (const { at, key: _, ...decision } of app.store.decisions({ runId }))
          yield { ...decision, at: new Date(at).toISOString() };
      }
      return;
    default:
      what satisfies never;
  }
}

/** What happened belongs to a run: the one named, or the latest. */
async function runsOf(app: App, { runId, siteId }: ExportRange): Promise<number[]> {
  if (runId !== undefined) return [runId];
  return (await app.store.runs({ kind: "crawl", siteId, limit: 1 })).map(({ id }) => id);
}

async function* links(app: App, range: ExportRange): AsyncGenerator<Record<string, unknown>> {
  const { store } = app;
  const scores = await pageScores(app);
  for await (const { pageId, siteId, page, packed } of store.linkDocuments(range)) {
    const worth = await scores?.(pageId, siteId);
    for (const { hash, url, text, title, heading, block, rel, kind, position } of unpackLinks(packed, store.hashSeed)) {
      yield { page, url, text, title, heading, block, rel, kind, position, ...(worth && (worth.get(`${hash.hi}.${hash.lo}`) ?? NO_WORTH)) };
    }
  }
}

const NO_WORTH = { score: 0, keywords: {} };

/** What the links of a page are worth, by their hashes; undefined where no site has keywords. */
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
