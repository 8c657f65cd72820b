import type { Heard, Settlement } from "../settlement.ts";
import { type Row, toInt64 } from "../sqlite/rows.ts";
import { arrayOf, linesIn } from "./columns.ts";
import type { Presence } from "./presence.ts";
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
export class LedgerWork {
  readonly #presence: Presence;
  readonly #settlement: Settlement;
  readonly #byId = new Map<number, LedgerState>();
  readonly #byHash = new Map<string, LedgerState>();
  /** Smaller depths that still have to be propagated to the links of these rows, in a later settlement. */
  readonly #nearer = new Map<number, number>();
  /** Change in the number of queued rows per host, and whether URLs were added. */
  readonly #waiting = new Map<number, { queued: number; isNamed: boolean }>();
  /** Skips by nofollow that do not stand, as in `Settled`; those of rows that were there before are in `known`. */
  notUnfollowed = 0;

  constructor(presence: Presence, settlement: Settlement) {
    this.#presence = presence;
    this.#settlement = settlement;
  }

  /** Locks the visited rows and those found again, and reads the rows that were only mentioned. */
  lock(): void {
    const { visits, heard, again, more, runId } = this.#settlement;
    const ids = [...visits.map(({ candidate }) => candidate.id), ...again.map(({ id }) => id)];
    const hashes = [...heard, ...more].map(hashOf);
    const known = hashes.length > 0 ? this.#presence.post(statements.KNOWN_ROWS, [arrayOf(hashes), runId]) : undefined;
    const locked = ids.length > 0 ? this.#presence.post(statements.LOCK_ROWS, [arrayOf(ids)]) : undefined;
    if (known) this.#learn(known());
    if (locked) this.#learn(locked());
  }

  #learn(rows: readonly Row[]): void {
    for (const line of linesIn(rows)) {
      const state = stateFrom(line);
      this.#byId.set(state.id, state);
      this.#byHash.set(line[1]!, state);
    }
  }

  of(id: number): LedgerState | undefined {
    return this.#byId.get(id);
  }

  /** Changes the verdict of a row; the queue counts follow from these changes. */
  #turn(state: LedgerState, verdict: string, isNamed: boolean): void {
    this.#count(state.hostId, Number(verdict === "queued") - Number(state.verdict === "queued"), isNamed);
    state.verdict = verdict;
  }

  #count(hostId: number, queued: number, isNamed: boolean): void {
    if (queued === 0) return;
    const known = this.#waiting.get(hostId) ?? { queued: 0, isNamed: false };
    this.#waiting.set(hostId, { queued: known.queued + queued, isNamed: known.isNamed || isNamed });
  }

  /** Writes the visits that were not refused, with the sequence number and the page of each. */
  endVisits(settled: readonly { readonly index: number; readonly seq: number | undefined; readonly pageId: number | undefined }[]): void {
    const { visits, at } = this.#settlement;
    if (settled.length === 0) return;
    const rows = settled.map(({ index, seq, pageId }) => {
      const visit = visits[index]!;
      this.#turn(this.#byId.get(visit.candidate.id)!, visit.verdict, false);
      const { verdict, reason, rule, depth, status, attempts, target } = visit;
      return { id: visit.candidate.id, verdict, reason, rule, depth, status, attempts, target, page_id: pageId, seq };
    });
    this.#presence.send(statements.END_VISITS, [...statements.ended.values(rows), at]);
    for (const { index } of settled) {
      const { respelt, candidate } = visits[index]!;
      if (respelt === undefined) continue;
      const { id, key, hops } = candidate;
      this.#presence.send(statements.RESPELL, [id, respelt, key === respelt ? null : key, hops + 1]);
    }
  }

  /** The row id of each new URL; for a known URL 0 and the state of its row. */
  hear(
    heard: readonly (Heard | undefined)[],
    hostIds: ReadonlyMap<string, number>,
  ): { id: number; known?: { depth: number; mentions: number } }[] {
    const fresh = new Map<string, { heard: Heard; mentions: number }>();
    for (const one of heard) {
      if (!one) continue;
      const hash = hashOf(one);
      if (this.#byHash.has(hash)) continue;
      const before = fresh.get(hash);
      const mentions = (before?.mentions ?? 0) + 1;
      if (!before) fresh.set(hash, { heard: one, mentions });
      else if (before.heard.reason === NOFOLLOW && one.reason !== NOFOLLOW) fresh.set(hash, { heard: one, mentions });
    }
    const ids = this.#insert(fresh, hostIds);
    this.#holdUnfollowed(heard);
    return this.#hearKnown(heard, ids, fresh, hostIds);
  }

  #insert(
    fresh: ReadonlyMap<string, { heard: Heard; mentions: number }>,
    hostIds: ReadonlyMap<string, number>,
  ): ReadonlyMap<string, number> {
    const ids = new Map<string, number>();
    if (fresh.size === 0) return ids;
    const { runId, at } = this.#settlement;
    const rows = [...fresh].map(([hash, { heard, mentions }]) => rowOf(heard, hash, hostIds, mentions));
    const written = this.#presence.ask(statements.HEAR, [...statements.heard.values(rows), runId, at]);
    for (const [id, hash] of linesIn(written)) ids.set(hash!, Number(id));
    for (const row of rows) if (row.verdict === "queued" && ids.has(row.hash)) this.#count(row.host_id, 1, true);
    // Another process inserted these first; its transaction has committed by now.
    const late = rows.flatMap(({ hash }) => (ids.has(hash) ? [] : [hash]));
    if (late.length > 0) this.#learn(this.#presence.ask(statements.KNOWN_ROWS, [arrayOf(late), runId]));
    return ids;
  }

  /** Locks rows known only through nofollow links, so that two processes do not both count such a URL as new. */
  #holdUnfollowed(heard: readonly (Heard | undefined)[]): void {
    const ids = heard.flatMap((one) => {
      const state = one && one.reason !== NOFOLLOW ? this.#byHash.get(hashOf(one)) : undefined;
      return state?.reason === NOFOLLOW ? [state.id] : [];
    });
    if (ids.length > 0) this.#learn(this.#presence.ask(statements.LOCK_ROWS, [arrayOf(ids)]));
  }

  #hearKnown(
    heard: readonly (Heard | undefined)[],
    ids: ReadonlyMap<string, number>,
    fresh: ReadonlyMap<string, { heard: Heard }>,
    hostIds: ReadonlyMap<string, number>,
  ) {
    const anew: ReturnType<typeof rowOf>[] = [];
    const mentioned = new Map<number, number>();
    const told = heard.map((one) => {
      if (!one) return { id: 0 };
      const hash = hashOf(one);
      const id = ids.get(hash);
      if (id !== undefined) {
        const isFirst = fresh.get(hash)!.heard === one || one.reason === NOFOLLOW;
        if (isFirst && fresh.get(hash)!.heard !== one) this.notUnfollowed += 1;
        return { id: isFirst ? id : 0 };
      }
      const state = this.#byHash.get(hash)!;
      if (state.reason === NOFOLLOW && one.reason !== NOFOLLOW) {
        anew.push(rowOf(one, hash, hostIds, 1));
        this.notUnfollowed += 1;
        this.#turn(state, one.verdict, true);
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
    if (anew.length > 0) this.#presence.send(statements.HEAR_ANEW, [...statements.heard.values(anew), runId, at]);
    const nearest = [...mentioned].map(([id, depth]) => ({ id, depth }));
    if (nearest.length > 0) this.#presence.send(statements.MENTIONED, statements.mentioned.values(nearest));
    return told;
  }

  /** Returns the rows whose depth is smaller now. */
  hearAgain(): { id: number; depth: number }[] {
    const { again } = this.#settlement;
    const known = again.filter(({ id }) => this.#byId.has(id));
    const rows = known.map(({ id, depth, level, priority, mentions, requeue }) => {
      const state = this.#byId.get(id)!;
      const is_queued = requeue && state.verdict === "skipped";
      if (is_queued) this.#turn(state, "queued", true);
      return { id, depth, level, priority, mentions, is_queued };
    });
    if (rows.length > 0) {
      this.#presence.send(statements.HEAR_AGAIN, statements.again.values(rows));
      this.#presence.send(statements.NEARNESS_TOLD, [...statements.nearness.values(rows), this.#settlement.runId]);
    }
    return known.flatMap(({ id, depth, isNearer }) => {
      const pageId = this.#byId.get(id)!.pageId;
      return isNearer && pageId !== undefined ? [{ id: pageId, depth }] : [];
    });
  }

  isNearer(id: number, depth: number): void {
    this.#nearer.set(id, Math.min(depth, this.#nearer.get(id) ?? depth));
  }

  /** Stores depths still to be propagated, because this process may be killed first; the worker that ends the run reads them. */
  oweNearness(): void {
    const rows = [...this.#nearer].map(([id, depth]) => ({ id, depth }));
    if (rows.length > 0) this.#presence.send(statements.NEARNESS, [...statements.nearness.values(rows), this.#settlement.runId]);
  }

  /** The row id of each URL that is still queued. */
  hearMore(): (number | undefined)[] {
    const states = this.#settlement.more.map((one) => this.#byHash.get(hashOf(one)));
    const rows = this.#settlement.more.flatMap(({ mentions, place }, index) => {
      const state = states[index];
      return state ? [{ id: state.id, mentions, level: place?.level, priority: place?.priority }] : [];
    });
    if (rows.length > 0) this.#presence.send(statements.HEAR_MORE, statements.more.values(rows));
    return states.map((state) => (state?.verdict === "queued" ? state.id : undefined));
  }

  /** Updates the number of queued rows per host. Returns true if URLs were added for other workers. */
  count(isOurs: (hostId: number) => boolean): boolean {
    const rows = [...this.#waiting].map(([host_id, { queued, isNamed }]) => ({ host_id, queued, news: isNamed && !isOurs(host_id) }));
    if (rows.length === 0) return false;
    this.#presence.send(statements.COUNT, [...statements.waiting.values(rows), this.#settlement.runId]);
    return rows.some(({ news }) => news);
  }
}

const hashOf = ({ hash }: Pick<Heard, "hash">): string => toInt64(hash).toString();

const rowOf = (heard: Heard, hash: string, hostIds: ReadonlyMap<string, number>, mentions: number) => {
  const { kind, url, key, depth, hops, via, level, priority, verdict, reason, rule } = heard;
  const ids = { host_id: hostIds.get(heard.host)!, site_id: heard.siteId, parent_id: heard.parentId };
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
