import type { App } from "../app.ts";
import type { ChangeListFilter, IgnoredPart, List, ListedChange, Place } from "../store/index.ts";
import { diffVersions, isEmptyDiff } from "./page-diff.ts";

/** Cache: whether two versions still differ under a set of ignored parts. The key contains both, so that it never becomes stale. */
const verdicts = new Map<string, boolean>();
const MOST_KNOWN = 10_000;
const PART = 500;

/**
 * The stored changes without those that consist only of ignored parts: a part may have been ignored after the run that recorded the
 * change.
 */
export function heededChanges(app: App): List<ChangeListFilter, ListedChange> {
  const { changes } = app.store.lists;
  return {
    sorts: changes.sorts,
    async part(filter, window) {
      const isHeeded = heeding(app);
      const rows: ListedChange[] = [];
      let next: Place | undefined = window.after;
      do {
        const part = await changes.part(filter, { ...window, after: next, limit: window.limit - rows.length });
        for (const change of part.rows) if (await isHeeded(change)) rows.push(change);
        next = part.next;
        window.signal?.throwIfAborted();
      } while (next && rows.length < window.limit);
      return { rows, next };
    },
    async count(filter, signal) {
      const sort = changes.sorts[0]!;
      const isHeeded = heeding(app);
      let count = await changes.count(filter, signal);
      if (!(await isAnythingIgnored(app))) return count;
      for (let next: Place | undefined, isFirst = true; isFirst || next; isFirst = false) {
        const part = await changes.part(filter, { sort, after: next, limit: PART, signal });
        for (const change of part.rows) if (!(await isHeeded(change))) count -= 1;
        next = part.next;
      }
      return count;
    },
  };
}

async function isAnythingIgnored({ store }: App): Promise<boolean> {
  for (const { id } of await store.sites()) if ((await store.cards.ignored(id)).length > 0) return true;
  return false;
}

function heeding(app: App): (change: ListedChange) => Promise<boolean> {
  const ignored = new Map<number, readonly IgnoredPart[]>();
  return async (change) => {
    const { siteId, pageId, fromVersion, toVersion, detail } = change;
    if (change.change !== "changed" || fromVersion === undefined || toVersion === undefined || detail.startsWith("moved to ")) return true;
    const known = ignored.get(siteId) ?? (await app.store.cards.ignored(siteId));
    ignored.set(siteId, known);
    const parts = known.filter((part) => (part.pageId ?? pageId) === pageId);
    if (parts.length === 0) return true;
    const name = JSON.stringify([app.store.path, pageId, fromVersion, toVersion, parts.map(({ id }) => id)]);
    const verdict = verdicts.get(name) ?? (await saysAnything(app, change));
    if (verdicts.size >= MOST_KNOWN) verdicts.clear();
    verdicts.set(name, verdict);
    return verdict;
  };
}

async function saysAnything(app: App, { pageId, fromVersion, toVersion }: ListedChange): Promise<boolean> {
  const page = await app.store.page({ id: pageId });
  const versions = await app.store.versions(pageId);
  const [from, to] = [fromVersion, toVersion].map((wanted) => versions.find(({ number }) => number === wanted));
  return !page || !from || !to || !isEmptyDiff(await diffVersions(app, page, [from, to]));
}
