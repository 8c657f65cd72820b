import type { Change, StopReason } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { ChangeRow, Run, Version } from "../../store/index.ts";
import { type PageScorer, pageScorerFor, scorerFor } from "../links/link-scores.ts";
import { requireKeywords } from "../links/links.ts";
import { runRangeOf } from "./change-range.ts";
import { LinkChanges, type LinkNews } from "./changed-links.ts";
import { editKey } from "./edit-key.ts";
import { diffVersions, isEmptyDiff, type PageDiff } from "./page-diff.ts";

export interface ChangesQuery {
  readonly site?: string | undefined;
  /** "previous", a run, a date, or a time such as 7d. */
  readonly since?: string | undefined;
  readonly between?: readonly [from: string, to: string] | undefined;
  readonly only?: readonly Change[] | undefined;
  /** Only pages and links that reach this score. */
  readonly minScore?: number | undefined;
  /** Include pages that turned out to be walls, errors or shells. */
  readonly anyVerdict?: boolean | undefined;
}

export interface RunMark {
  readonly id: number;
  readonly uid: string;
  readonly at: string;
}

export interface PageNews {
  readonly pageId: number;
  readonly url: string;
  readonly change: Change;
  /** As a person corrected it, or else as the page gives it. */
  readonly title: string | null;
  /** A person's note on the page. */
  readonly note: string;
  readonly tags: readonly string[];
  readonly at: string;
  readonly runId: number;
  readonly detail: string;
  /** "head": only title, description or similar fields changed. Null if there are not two versions. */
  readonly kind: "content" | "head" | null;
  /** Other pages with exactly the same change; they are not listed separately. */
  readonly alsoOn: readonly string[];
  /** Best match of the keywords with links to the page, its own words, and the changed words: 0–2. */
  readonly score: number;
  /** Number of words added or removed. */
  readonly words: number;
  /** Diff of the two versions, if there are two. */
  readonly diff: PageDiff | null;
}

/** The first crawl of a site. Its pages are what later runs are compared with; they are not news. */
export interface FirstCrawl {
  readonly siteId: number;
  readonly url: string;
  readonly run: RunMark;
  /** Number of pages it found. */
  readonly pages: number;
}

/** All changes of sites between two runs. Text, Markdown, HTML, Atom and JSON are all made from this. */
export interface ChangeFeed {
  readonly sites: readonly { readonly id: number; readonly uid: string; readonly url: string }[];
  /** The earlier run; the first crawl if there was none before the given time. Null if the later run is the first. */
  readonly from: RunMark | null;
  readonly to: RunMark;
  /** Whether the later run was complete. If not, pages that it did not reach are unknown, not gone. */
  readonly isComplete: boolean;
  readonly stopReason: StopReason | null;
  readonly counts: Readonly<Record<Exclude<Change, "same">, number>>;
  /** Sites that were first crawled after the earlier run, or by it. They are compared with that first crawl. */
  readonly firstCrawls: readonly FirstCrawl[];
  /** Pages left out because they are walls, errors or shells: neither counted nor listed. */
  readonly leftOut: number;
  /** Pages that a run counted as changed but that differ only in noise or ignored parts: neither counted nor listed here. */
  readonly onlyNoise: number;
  /** By importance: score, then number of changed words. */
  readonly pages: readonly PageNews[];
  /** Targets that no page linked to before, and targets that no page links to any more. */
  readonly links: { readonly new: readonly LinkNews[]; readonly gone: readonly LinkNews[] };
}

/** Unknown pages are counted but listed only on request. */
const LISTED: readonly Change[] = ["new", "changed", "gone", "unlinked"];

export async function changes(app: App, query: ChangesQuery = {}): Promise<ChangeFeed> {
  const { from, to, siteIds, after, first } = await runRangeOf(app, query);
  const sites = (await app.store.sites()).filter(({ id }) => siteIds.includes(id));
  if (query.minScore) await requireKeywords(app, siteIds);
  const scorer = await scorerFor(app, siteIds);
  const scoreOf = await pageScorerFor(app, siteIds, to.options.scorer === "lexical" ? "lexical" : "embedded");
  const isComplete = to.status === "finished" && to.kind === "crawl" && to.options.due !== true;
  const counts = { new: 0, changed: 0, gone: 0, unlinked: 0, unknown: 0 };
  const linkChanges = new LinkChanges(app, siteIds);
  const pages: PageNews[] = [];
  const contents = new Map<number, string>();
  const only = query.only ?? LISTED;
  let [leftOut, onlyNoise] = [0, 0];
  const found = new Map<number, number>();
  for await (const determined of byPage(app, siteIds, { after, until: to.id })) {
    const { siteId } = determined[0]!;
    const start = Math.max(from?.id ?? 0, first.get(siteId)?.id ?? 0);
    const rows = determined.filter(({ runId }) => runId > start);
    if (determined.some(({ runId, change }) => runId <= start && change === "new")) found.set(siteId, (found.get(siteId) ?? 0) + 1);
    if (rows.length === 0) continue;
    if (!query.anyVerdict && (rows[0]!.verdict ?? "ok") !== "ok") {
      leftOut += 1;
      continue;
    }
    const news = await netChange(app, rows, { from: start, to: to.id, isComplete, contents }, linkChanges, scoreOf);
    if (news === "only noise") onlyNoise += 1;
    if (!news || news === "only noise" || news.change === "same") continue;
    counts[news.change] += 1;
    if (only.includes(news.change)) pages.push(news);
  }
  const links = from ? await linkChanges.changedLinks(scorer, query.minScore ?? 0) : { new: [], gone: [] };
  const hasMinScore = ({ score }: PageNews) => score >= (query.minScore ?? 0);
  const runs = { from: from ? markOf(from) : null, to: markOf(to), isComplete, stopReason: to.stopReason ?? null };
  const firstCrawls = sites.flatMap(({ id, url }): FirstCrawl[] => {
    const run = first.get(id);
    return run && run.id > after ? [{ siteId: id, url, run: markOf(run), pages: found.get(id) ?? 0 }] : [];
  });
  return {
    sites,
    ...runs,
    counts,
    firstCrawls,
    leftOut,
    onlyNoise,
    pages: groupSameChanges(pages.sort(byImportance).filter(hasMinScore), contents),
    links,
  };
}

const byImportance = (a: PageNews, b: PageNews) => b.score - a.score || b.words - a.words || (a.url < b.url ? -1 : 1);

/**
 * Groups pages with the same change, such as a new link in the menu, under the first of them; also one page under several URLs, such as
 * `/` and `/index.html`, or on two hosts.
 */
function groupSameChanges(pages: readonly PageNews[], contents: ReadonlyMap<number, string>): PageNews[] {
  const groups = new Map<string, PageNews[]>();
  for (const page of pages) {
    const content = contents.get(page.pageId);
    const same = content === undefined ? page.url : `${page.change} ${content}`;
    const what = page.change === "changed" ? (page.diff ? editKey(page.diff) : page.url) : same;
    const known = groups.get(what);
    if (known) known.push(page);
    else groups.set(what, [page]);
  }
  return [...groups.values()].map(([first, ...others]) => ({ ...first!, alsoOn: others.map(({ url }) => url) }));
}

const markOf = ({ id, uid, startedAt }: Run): RunMark => ({ id, uid, at: new Date(startedAt).toISOString() });

async function* byPage(app: App, siteIds: readonly number[], range: { after: number; until: number }): AsyncGenerator<ChangeRow[]> {
  let rows: ChangeRow[] = [];
  for await (const row of app.store.history.changes(siteIds, range)) {
    if (rows.length > 0 && rows[0]!.pageId !== row.pageId) {
      yield rows;
      rows = [];
    }
    rows.push(row);
  }
  if (rows.length > 0) yield rows;
}

/** The net change of a page over all runs in the range. None if it appeared and disappeared again, or is as it was before. */
async function netChange(
  app: App,
  rows: readonly ChangeRow[],
  range: { from: number; to: number; isComplete: boolean; contents: Map<number, string> },
  linkChanges: LinkChanges,
  scoreOf: PageScorer,
): Promise<PageNews | "only noise" | undefined> {
  const versions = await app.store.versions(rows[0]!.pageId);
  const [before, now] = [range.from, range.to].map((runId) => versions.find((version) => version.runId <= runId));
  const determined = rows.filter(({ change }) => change !== "unknown");
  const last = determined.at(-1) ?? rows.at(-1)!;
  const lastChange = await app.store.history.lastChange(last.pageId, range.from);
  // A pruned page has no versions any more, only the changes recorded by runs.
  const wasThere = (before !== undefined || (versions.length === 0 && lastChange !== undefined)) && lastChange !== "gone";
  const isThere = last.change !== "gone";
  if (determined.length === 0) return wasThere ? newsOf(last, "unknown", now, null, await scoreOf(last.siteId, last.hash, [])) : undefined;
  if (!wasThere && !isThere) return undefined;
  const pair = before && now && before.id !== now.id ? ([before, now] as const) : undefined;
  const diff = pair && isThere ? await diffVersions(app, { ...last, id: last.pageId }, pair) : null;
  const isMoved = last.detail.startsWith("moved to ");
  // A complete run that recorded nothing for a page found it linked and unchanged.
  const isUnlinked = last.change === "unlinked" && (last.runId === range.to || !range.isComplete);
  // Report a page as unlinked only once.
  const isNewlyUnlinked = isUnlinked && !(await app.store.history.wasUnlinked(last.pageId, range.from));
  const change = !isThere ? "gone" : isNewlyUnlinked ? "unlinked" : wasThere || before ? "changed" : "new";
  if (change === "changed" && wasThere && !isMoved && (!diff || isEmptyDiff(diff)))
    // A page that changed twice may be back to its old content.
    return diff && last.change === "changed" && (diff.masked > 0 || determined.length === 1) ? "only noise" : undefined;
  await linkChanges.add(last, [wasThere ? before : undefined, isThere && !isMoved ? now : undefined], diff);
  const version = now ?? before;
  if (version && version.wordCount > 0) range.contents.set(last.pageId, contentOf(version));
  return newsOf(last, change, version, diff, await scoreOf(last.siteId, last.hash, [titleAndDescription(version), changedWords(diff)]));
}

const contentOf = ({ bodyHash, fingerprint, metadata }: Version) =>
  bodyHash ?? `${fingerprint.text} ${fingerprint.links} ${metadata.title?.value ?? ""}`;

export function newsOf(row: ChangeRow, change: Change, version: Version | undefined, diff: PageDiff | null, score: number): PageNews {
  const { pageId, url, at, runId, detail, note, tags } = row;
  const title = row.title ?? version?.metadata.title?.value ?? null;
  const words = diff ? diff.words : change === "new" || change === "gone" ? (version?.wordCount ?? 0) : 0;
  const kind = diff === null ? null : isHeadOnly(diff) ? "head" : "content";
  return { pageId, url, change, kind, alsoOn: [], title, note, tags, at: new Date(at).toISOString(), runId, detail, score, words, diff };
}

const isHeadOnly = ({ text, linksAdded, linksRemoved, fields, hasText }: PageDiff) =>
  hasText && fields.length > 0 && text.length + linksAdded.length + linksRemoved.length === 0;

const titleAndDescription = (version: Version | undefined) =>
  [version?.metadata.title?.value, version?.metadata.description?.value].filter(Boolean).join(". ");

/** Enough to score what a change is about. */
const MAX_LETTERS = 4000;

/** The added and removed words, without link texts: those describe the target page, not this one. */
function changedWords(diff: PageDiff | null): string {
  if (!diff) return "";
  const linked = new Set([...diff.linksAdded, ...diff.linksRemoved].map(({ text }) => text));
  const blocks = diff.text.flatMap(({ removed, added }) => [...added, ...removed]).filter((block) => !linked.has(block));
  const values = diff.fields.flatMap(({ before, now }) => [now ?? "", before ?? ""]);
  return [...blocks, ...values].join("\n").slice(0, MAX_LETTERS);
}
