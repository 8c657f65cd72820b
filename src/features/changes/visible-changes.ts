import type { App } from "../../engine/app.ts";
import type { ChangeListFilter, Cursor, IgnoredPart, List, ListedChange } from "../../store/index.ts";
import { diffVersions, isEmptyDiff } from "./page-diff.ts";

/** Cache: whether two versions still differ under a set of ignored parts. The key contains both, so that it never becomes stale. */
const verdicts = new Map<string, boolean>();
const MAX_CACHED = 10_000;
const PART_SIZE = 500;

/**
 * The stored changes without those that consist only of ignored parts: a part may have been ignored after the run that recorded the
 * change.
 */
export function visibleChanges(app: App): List<ChangeListFilter, ListedChange> {
  const { changes } = app.store.lists;
  return {
    sorts: changes.sorts,
    async part(filter, window) {
      const isVisible = visibilityCheck(app);
      const rows: ListedChange[] = [];
      let next: Cursor | undefined = window.after;
      do {
        const part = await changes.part(filter, { ...window, after: next, limit: window.limit - rows.length });
        for (const change of part.rows) if (await isVisible(change)) rows.push(change);
        next = part.next;
        window.signal?.throwIfAborted();
      } while (next && rows.length < window.limit);
      return { rows, next };
    },
    async count(filter, signal) {
      const sort = changes.sorts[0]!;
      const isVisible = visibilityCheck(app);
      let count = await changes.count(filter, signal);
      if (!(await isAnythingIgnored(app))) return count;
      for (let next: Cursor | undefined, isFirst = true; isFirst || next; isFirst = false) {
        const part = await changes.part(filter, { sort, after: next, limit: PART_SIZE, signal });
        for (const change of part.rows) if (!(await isVisible(change))) count -= 1;
        next = part.next;
      }
      return count;
    },
  };
}

async function isAnythingIgnored({ store }: App): Promise<boolean> {
  for (const { id } of await store.sites()) if ((await store.userData.ignored(id)).length > 0) return true;
  return false;
}

function visibilityCheck(app: App): (change: ListedChange) => Promise<boolean> {
  const ignored = new Map<number, readonly IgnoredPart[]>();
  return async (change) => {
    const { siteId, pageId, fromVersion, toVersion, detail } = change;
    if (change.change !== "changed" || fromVersion === undefined || toVersion === undefined || detail.startsWith("moved to ")) return true;
    const known = ignored.get(siteId) ?? (await app.store.userData.ignored(siteId));
    ignored.set(siteId, known);
    const parts = known.filter((part) => (part.pageId ?? pageId) === pageId);
    if (parts.length === 0) return true;
    const name = JSON.stringify([app.store.path, pageId, fromVersion, toVersion, parts.map(({ id }) => id)]);
    const verdict = verdicts.get(name) ?? (await hasDifference(app, change));
    if (verdicts.size >= MAX_CACHED) verdicts.clear();
    verdicts.set(name, verdict);
    return verdict;
  };
}

async function hasDifference(app: App, { pageId, fromVersion, toVersion }: ListedChange): Promise<boolean> {
  const page = await app.store.page({ id: pageId });
  const versions = await app.store.versions(pageId);
  const [from, to] = [fromVersion, toVersion].map((wanted) => versions.find(({ number }) => number === wanted));
  return !page || !from || !to || !isEmptyDiff(await diffVersions(app, page, [from, to]));
}
