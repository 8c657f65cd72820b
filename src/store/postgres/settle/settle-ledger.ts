import type { NewUrl, Settlement } from "../../settlement.ts";
import { type Row, toInt64 } from "../../sqlite/rows.ts";
import { arrayOf, parseLines } from "../columns.ts";
import type { WorkerSession } from "../worker-session.ts";
import * as statements from "./settle-statements.ts";

/** A ledger row that this settlement touches, with its current state. */
interface LedgerState {
  readonly id: number;
  readonly hostId: number;
  verdict: string;
  reason: string;
  depth: number;
  mentions: number;
  readonly pageId: number | undefined;
}

const stateFrom = ([id, , hostId, verdict, reason, depth, mentions, pageId]: readonly string[]): LedgerState => ({
  id: Number(id),
  hostId: Number(hostId),
  verdict: verdict!,
  reason: reason!,
  depth: Number(depth),
  mentions: Number(mentions),
  pageId: pageId === "" ? undefined : Number(pageId),
});

const NOFOLLOW = "meta.nofollow";

/** The part of a settlement that is written to the ledger. Visited rows stay locked until the transaction ends. */
export class LedgerWriter {
  readonly #session: WorkerSession;
  readonly #settlement: Settlement;
  readonly #byId = new Map<number, LedgerState>();
  readonly #byHash = new Map<string, LedgerState>();
  /** Smaller depths that still have to be propagated to the links of these rows, in a later settlement. */
  readonly #smallerDepths = new Map<number, number>();
  /** Change in the number of queued rows per host, and whether URLs were added. */
  readonly #queueChanges = new Map<number, { queued: number; isUrlAdded: boolean }>();
  /** Skips by nofollow that do not stand, as in `Settled`; those of rows that were there before are in `known`. */
  notUnfollowed = 0;

  constructor(session: WorkerSession, settlement: Settlement) {
    this.#session = session;
    this.#settlement = settlement;
  }

  /** Locks the visited rows and those found again, and reads the rows that were only mentioned. */
  lock(): void {
    const { visits, heard: added, again: updated, more: mentionUpdates, runId } = this.#settlement;
    const ids = [...visits.map(({ candidate }) => candidate.id), ...updated.map(({ id }) => id)];
    const hashes = [...added, ...mentionUpdates].map(hashOf);
    const known = hashes.length > 0 ? this.#session.sendQuery(statements.KNOWN_ROWS, [arrayOf(hashes), runId]) : undefined;
    const locked = ids.length > 0 ? this.#session.sendQuery(statements.LOCK_ROWS, [arrayOf(ids)]) : undefined;
    if (known) this.#storeStates(known());
    if (locked) this.#storeStates(locked());
  }

  #storeStates(rows: readonly Row[]): void {
    for (const line of parseLines(rows)) {
      const state = stateFrom(line);
      this.#byId.set(state.id, state);
      this.#byHash.set(line[1]!, state);
    }
  }

  of(id: number): LedgerState | undefined {
    return this.#byId.get(id);
  }

  /** Changes the verdict of a row; the queue counts follow from these changes. */
  #setVerdict(state: LedgerState, verdict: string, isUrlAdded: boolean): void {
    this.#count(state.hostId, Number(verdict === "queued") - Number(state.verdict === "queued"), isUrlAdded);
    state.verdict = verdict;
  }

  #count(hostId: number, queued: number, isUrlAdded: boolean): void {
    if (queued === 0) return;
    const known = this.#queueChanges.get(hostId) ?? { queued: 0, isUrlAdded: false };
    this.#queueChanges.set(hostId, { queued: known.queued + queued, isUrlAdded: known.isUrlAdded || isUrlAdded });
  }

  /** Writes the visits that were not refused, with the sequence number and the page of each. */
  endVisits(settled: readonly { readonly index: number; readonly seq: number | undefined; readonly pageId: number | undefined }[]): void {
    const { visits, at } = this.#settlement;
    if (settled.length === 0) return;
    const rows = settled.map(({ index, seq, pageId }) => {
      const visit = visits[index]!;
      this.#setVerdict(this.#byId.get(visit.candidate.id)!, visit.verdict, false);
      const { verdict, reason, rule, depth, status, attempts, target } = visit;
      return { id: visit.candidate.id, verdict, reason, rule, depth, status, attempts, target, page_id: pageId, seq };
    });
    this.#session.execute(statements.END_VISITS, [...statements.endedVisits.values(rows), at]);
    for (const { index } of settled) {
      const { respelt, candidate } = visits[index]!;
      if (respelt === undefined) continue;
      const { id, key, hops } = candidate;
      this.#session.execute(statements.RESPELL, [id, respelt, key === respelt ? null : key, hops + 1]);
    }
  }

  /** The row id of each new URL; for a known URL 0 and the state of its row. */
  insertUrls(
    added: readonly (NewUrl | undefined)[],
    hostIds: ReadonlyMap<string, number>,
  ): { id: number; known?: { depth: number; mentions: number } }[] {
    const newRows = new Map<string, { added: NewUrl; mentions: number }>();
    for (const one of added) {
      if (!one) continue;
      const hash = hashOf(one);
      if (this.#byHash.has(hash)) continue;
      const before = newRows.get(hash);
      const mentions = (before?.mentions ?? 0) + 1;
      if (!before) newRows.set(hash, { added: one, mentions });
      else if (before.added.reason === NOFOLLOW && one.reason !== NOFOLLOW) newRows.set(hash, { added: one, mentions });
    }
    const ids = this.#insert(newRows, hostIds);
    this.#lockNofollow(added);
    return this.#updateKnown(added, ids, newRows, hostIds);
  }

  #insert(
    newRows: ReadonlyMap<string, { added: NewUrl; mentions: number }>,
    hostIds: ReadonlyMap<string, number>,
  ): ReadonlyMap<string, number> {
    const ids = new Map<string, number>();
    if (newRows.size === 0) return ids;
    const { runId, at } = this.#settlement;
    const rows = [...newRows].map(([hash, { added, mentions }]) => rowOf(added, hash, hostIds, mentions));
    const written = this.#session.query(statements.INSERT_URLS, [...statements.newUrls.values(rows), runId, at]);
    for (const [id, hash] of parseLines(written)) ids.set(hash!, Number(id));
    for (const row of rows) if (row.verdict === "queued" && ids.has(row.hash)) this.#count(row.host_id, 1, true);
    // Another process inserted these first; its transaction has committed by now.
    const concurrent = rows.flatMap(({ hash }) => (ids.has(hash) ? [] : [hash]));
    if (concurrent.length > 0) this.#storeStates(this.#session.query(statements.KNOWN_ROWS, [arrayOf(concurrent), runId]));
    return ids;
  }

  /** Locks rows known only through nofollow links, so that two processes do not both count such a URL as new. */
  #lockNofollow(added: readonly (NewUrl | undefined)[]): void {
    const ids = added.flatMap((one) => {
      const state = one && one.reason !== NOFOLLOW ? this.#byHash.get(hashOf(one)) : undefined;
      return state?.reason === NOFOLLOW ? [state.id] : [];
    });
    if (ids.length > 0) this.#storeStates(this.#session.query(statements.LOCK_ROWS, [arrayOf(ids)]));
  }

  #updateKnown(
    added: readonly (NewUrl | undefined)[],
    ids: ReadonlyMap<string, number>,
    newRows: ReadonlyMap<string, { added: NewUrl }>,
    hostIds: ReadonlyMap<string, number>,
  ) {
    const followed: ReturnType<typeof rowOf>[] = [];
    const mentioned = new Map<number, number>();
    const results = added.map((one) => {
      if (!one) return { id: 0 };
      const hash = hashOf(one);
      const id = ids.get(hash);
      if (id !== undefined) {
        const isFirst = newRows.get(hash)!.added === one || one.reason === NOFOLLOW;
        if (isFirst && newRows.get(hash)!.added !== one) this.notUnfollowed += 1;
        return { id: isFirst ? id : 0 };
      }
      const state = this.#byHash.get(hash)!;
      if (state.reason === NOFOLLOW && one.reason !== NOFOLLOW) {
        followed.push(rowOf(one, hash, hostIds, 1));
        this.notUnfollowed += 1;
        this.#setVerdict(state, one.verdict, true);
        Object.assign(state, { reason: one.reason, depth: one.depth, mentions: state.mentions + 1 });
        return { id: state.id };
      }
      if (one.reason !== NOFOLLOW) {
        mentioned.set(state.id, Math.min(one.depth, mentioned.get(state.id) ?? one.depth));
        if (one.depth < state.depth) this.isNearer(state.id, one.depth);
        state.mentions += 1;
      }
      return { id: 0, known: { depth: state.depth, mentions: state.mentions } };
    });
    const { runId, at } = this.#settlement;
    if (followed.length > 0) this.#session.execute(statements.REPLACE_NOFOLLOW, [...statements.newUrls.values(followed), runId, at]);
    const depthUpdates = [...mentioned].map(([id, depth]) => ({ id, depth }));
    if (depthUpdates.length > 0) this.#session.execute(statements.ADD_MENTIONS, statements.mentions.values(depthUpdates));
    return results;
  }

  /** Returns the rows whose depth is smaller now. */
  updateRows(): { id: number; depth: number }[] {
    const { again: updated } = this.#settlement;
    const known = updated.filter(({ id }) => this.#byId.has(id));
    const rows = known.map(({ id, depth, level, priority, mentions, requeue }) => {
      const state = this.#byId.get(id)!;
      const is_queued = requeue && state.verdict === "skipped";
      if (is_queued) this.#setVerdict(state, "queued", true);
      return { id, depth, level, priority, mentions, is_queued };
    });
    if (rows.length > 0) {
      this.#session.execute(statements.UPDATE_ROWS, statements.updatedRows.values(rows));
      this.#session.execute(statements.REMOVE_PENDING_DEPTHS, [...statements.pendingDepths.values(rows), this.#settlement.runId]);
    }
    return known.flatMap(({ id, depth, isNearer }) => {
      const pageId = this.#byId.get(id)!.pageId;
      return isNearer && pageId !== undefined ? [{ id: pageId, depth }] : [];
    });
  }

  isNearer(id: number, depth: number): void {
    this.#smallerDepths.set(id, Math.min(depth, this.#smallerDepths.get(id) ?? depth));
  }

  /** Stores depths still to be propagated, because this process may be killed first; the worker that ends the run reads them. */
  savePendingDepths(): void {
    const rows = [...this.#smallerDepths].map(([id, depth]) => ({ id, depth }));
    if (rows.length > 0)
      this.#session.execute(statements.SAVE_PENDING_DEPTHS, [...statements.pendingDepths.values(rows), this.#settlement.runId]);
  }

  /** The row id of each URL that is still queued. */
  updateMentions(): (number | undefined)[] {
    const states = this.#settlement.more.map((one) => this.#byHash.get(hashOf(one)));
    const rows = this.#settlement.more.flatMap(({ mentions, place }, index) => {
      const state = states[index];
      return state ? [{ id: state.id, mentions, level: place?.level, priority: place?.priority }] : [];
    });
    if (rows.length > 0) this.#session.execute(statements.UPDATE_MENTIONS, statements.mentionUpdates.values(rows));
    return states.map((state) => (state?.verdict === "queued" ? state.id : undefined));
  }

  /** Updates the number of queued rows per host. Returns true if URLs were added for other workers. */
  count(isOurs: (hostId: number) => boolean): boolean {
    const rows = [...this.#queueChanges].map(([host_id, { queued, isUrlAdded }]) => ({
      host_id,
      queued,
      news: isUrlAdded && !isOurs(host_id),
    }));
    if (rows.length === 0) return false;
    this.#session.execute(statements.COUNT, [...statements.queueChanges.values(rows), this.#settlement.runId]);
    return rows.some(({ news }) => news);
  }
}

const hashOf = ({ hash }: Pick<NewUrl, "hash">): string => toInt64(hash).toString();

const rowOf = (added: NewUrl, hash: string, hostIds: ReadonlyMap<string, number>, mentions: number) => {
  const { kind, url, key, depth, hops, via, level, priority, verdict, reason, rule } = added;
  const ids = { host_id: hostIds.get(added.host)!, site_id: added.siteId, parent_id: added.parentId };
  return {
    hash,
    kind,
    url,
    key: key === url ? undefined : key,
    depth,
    hops,
    via,
    level,
    priority,
    verdict,
    reason,
    rule,
    mentions,
    ...ids,
  };
};
