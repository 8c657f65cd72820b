import type { Page } from "../../../core/records.ts";
import type { SettledVisit, Settlement, SettleResult } from "../../settlement.ts";
import { saveExchange } from "../../sqlite/exchanges.ts";
import { onPage } from "../../sqlite/link-reads.ts";
import { pageFrom, type Row } from "../../sqlite/rows.ts";
import { saveExtraSeeds } from "../../sqlite/settle/extra-seeds.ts";
import { saveHint } from "../../sqlite/settle/observations.ts";
import { PAGE } from "../../sqlite/settle/settle-statements.ts";
import type { PostgresBacklog } from "../backlog.ts";
import { arrayOf, parseLines } from "../columns.ts";
import type { RunPart } from "../run-parts.ts";
import type { WorkerSession } from "../worker-session.ts";
import { LedgerWriter } from "./settle-ledger.ts";
import { needsPage, needsVersion, type PageContext, PageWriter } from "./settle-pages.ts";
import * as statements from "./settle-statements.ts";

export interface SettleContext extends PageContext {
  readonly backlog: PostgresBacklog;
  readonly part: RunPart;
}

/** A locked host. Fellows: another worker of this run has leased it. */
interface HostState {
  readonly epoch: number;
  readonly isOurs: boolean;
  readonly isOtherWorkers: boolean;
}

const hostStateFrom = ([id, epoch, isOurs, isOtherWorkers]: readonly string[]): [id: number, state: HostState] => [
  Number(id),
  { epoch: Number(epoch), isOurs: isOurs === "1", isOtherWorkers: isOtherWorkers === "1" },
];

/** A visit that was not refused. */
interface Accepted {
  readonly index: number;
  readonly visit: SettledVisit;
  readonly seq: number | undefined;
  readonly pageId: number | undefined;
}

/**
 * Writes the results of a batch of visits in one transaction with a few statements, whatever the batch size. Hosts are locked first: a
 * visit is refused if its host was leased by another process since the request was sent, so that a worker that was considered expired and
 * comes back cannot overwrite what others found.
 */
export class Settling {
  readonly #context: SettleContext;
  readonly #settlement: Settlement;
  readonly #id: string;
  readonly #ledger: LedgerWriter;
  readonly pages: PageWriter;
  readonly #hostIds: ReadonlyMap<string, number>;
  #numbers: { seqs: number[]; pages: number[]; versions: number[] } = { seqs: [], pages: [], versions: [] };
  readonly #refusedVisits = new Set<number>();
  /** Hosts released by this settlement. */
  #releasedHosts: () => Row[] = () => [];

  constructor(context: SettleContext, settlement: Settlement, { id, hostIds }: { id: string; hostIds: ReadonlyMap<string, number> }) {
    this.#context = context;
    this.#hostIds = hostIds;
    this.#settlement = settlement;
    this.#id = id;
    this.#ledger = new LedgerWriter(context.session, settlement);
    this.pages = new PageWriter(context, settlement);
  }

  write(): SettleResult {
    const { session, sql } = this.#context;
    const { heard: newUrls, runId, exchanges = [], hints = [] } = this.#settlement;
    session.execute(statements.TRANSACTION_SETTINGS, []);
    const isOurs = this.#lockRows();
    const accepted = this.#acceptVisits();
    const smallerDepths = this.#smallerDepthsOf(accepted);
    this.#ledger.endVisits(accepted.filter(({ visit }) => visit.candidate.id !== 0));
    const inserted = this.#ledger.insertUrls(
      newUrls.map((one) => (one.parentId !== undefined && this.#isRefused(one.parentId) ? undefined : one)),
      this.#hostIds,
    );
    const shallowerPages = this.#ledger.updateRows();
    for (const [index, depth] of smallerDepths.entries()) {
      if (depth !== undefined) this.#ledger.isNearer(this.#settlement.visits[index]!.candidate.id, depth);
    }
    this.#ledger.savePendingDepths();
    const waitingIds = this.#ledger.updateMentions();
    const isNewForOthers = this.#ledger.count(isOurs);
    this.#updateHosts();
    if (runId > 0) this.#saveState(accepted);
    this.pages.write(shallowerPages, this.#hostIds);
    saveExtraSeeds(sql, this.#settlement);
    for (const update of hints) saveHint(sql, update);
    for (const exchange of exchanges) saveExchange(sql, runId, exchange);
    if (isNewForOthers) session.notifyWorkers(runId);
    const pageLoader = this.#byVisit(accepted, ({ visit, pageId }) => this.#pageLoader(visit, pageId));
    return {
      heardIds: inserted.map(({ id }) => id),
      notUnfollowed: this.#ledger.notUnfollowed,
      known: inserted.map(({ known }) => known),
      nearer: smallerDepths,
      stale: this.#refusedVisits,
      pageIds: this.#byVisit(accepted, ({ visit, pageId }) => (this.#pageLoader(visit, pageId) ? pageId : undefined)),
      seqs: this.#byVisit(accepted, ({ seq }) => seq),
      queuedIds: waitingIds,
      pages: pageLoader,
      newLinks: this.pages.links?.newLinks ?? [],
      linksOf: (pageId) => onPage(sql, pageId),
    };
  }

  /**
   * Called after the commit. If the answer to the commit was lost, the released hosts are unknown; the next claim of each shows who owns
   * it.
   */
  finish(isAnswered: boolean): void {
    const { backlog, part } = this.#context;
    for (const { candidate } of this.#settlement.visits) backlog.visitEnded(candidate.id);
    const idle = this.#settlement.hosts.flatMap(({ host, isIdle }) => (isIdle ? [host] : []));
    const releasedHosts = isAnswered ? parseLines(this.#releasedHosts()).map(([host]) => host!) : idle;
    for (const host of releasedHosts) backlog.dropLease(host);
    part.markWritten(this.#settlement.counters);
    part.state = JSON.stringify(this.#settlement.state);
  }

  /** Locks hosts, then rows. Returns a check whether a host is leased by us. */
  #lockRows(): (hostId: number) => boolean {
    const { session, backlog } = this.#context;
    const { visits, hosts, runId } = this.#settlement;
    const isNumbered = visits.length > 0;
    const ids = new Set<number>();
    for (const { candidate } of visits) ids.add(this.#hostIds.get(candidate.host)!);
    for (const { host } of hosts) ids.add(this.#hostIds.get(host)!);
    const counts = [visits.filter(({ isRetry }) => !isRetry).length, visits.filter(needsPage).length, visits.filter(needsVersion).length];
    const locked = session.sendQuery(statements.LOCK_HOSTS, [arrayOf([...ids]), backlog.owner, runId, session.now]);
    const numbers = isNumbered ? session.sendQuery(statements.NUMBERS, counts) : undefined;
    const part = session.sendQuery(statements.LOCK_PART, [runId, session.id]);
    this.#ledger.lock();
    const states = new Map(parseLines(locked()).map(hostStateFrom));
    const [row] = numbers?.() ?? [];
    if (row) {
      const listed = (text: unknown) => JSON.parse(String(text)) as number[];
      this.#numbers = { seqs: listed(row.seqs), pages: listed(row.pages), versions: listed(row.versions) };
    }
    for (const [index, visit] of visits.entries()) if (!this.#mayBeWritten(visit, states)) this.#refusedVisits.add(index);
    if (runId > 0 && part().length === 0) session.registerAgain();
    const held = new Set<number>();
    for (const [name, id] of this.#hostIds) if (backlog.sharing.holds(name)) held.add(id);
    return (id) => held.has(id);
  }

  #mayBeWritten({ candidate }: SettledVisit, states: ReadonlyMap<number, HostState>): boolean {
    // A look at a page outside the ledger.
    if (candidate.id === 0) return true;
    const host = states.get(this.#hostIds.get(candidate.host)!);
    if (host === undefined || this.#ledger.of(candidate.id)?.verdict !== "queued") return false;
    const epoch = this.#context.backlog.leaseOf(candidate.id);
    // A visit refused by the gate was never sent, and needs no lease.
    return epoch === undefined ? !host.isOtherWorkers : host.isOurs && host.epoch === epoch;
  }

  #isRefused(rowId: number): boolean {
    return this.#refusedVisits.size > 0 && [...this.#refusedVisits].some((index) => this.#settlement.visits[index]!.candidate.id === rowId);
  }

  #acceptVisits(): Accepted[] {
    const { seqs, pages, versions } = this.#numbers;
    const next = (numbers: number[]) => () => numbers.shift()!;
    return this.#settlement.visits.flatMap((visit, index) => {
      if (this.#refusedVisits.has(index)) return [];
      const seq = visit.isRetry ? undefined : seqs.shift();
      const depth = Math.min(visit.depth, this.#ledger.of(visit.candidate.id)?.depth ?? visit.depth);
      const pageId = this.pages.add(visit, { seq, depth, page: next(pages), version: next(versions) });
      return [{ index, visit, seq, pageId }];
    });
  }

  /** Depths of visits for which another process found a smaller depth. */
  #smallerDepthsOf(accepted: readonly Accepted[]): (number | undefined)[] {
    return this.#byVisit(accepted, ({ visit }) => {
      const depth = this.#ledger.of(visit.candidate.id)?.depth ?? visit.depth;
      return depth < visit.depth ? depth : undefined;
    });
  }

  #byVisit<T>(accepted: readonly Accepted[], of: (one: Accepted) => T | undefined): (T | undefined)[] {
    const found: (T | undefined)[] = this.#settlement.visits.map(() => undefined);
    for (const one of accepted) found[one.index] = of(one);
    return found;
  }

  #pageLoader({ page }: SettledVisit, pageId: number | undefined): (() => Page) | undefined {
    const { change, movedTo, version } = page ?? {};
    const hasNothing = change !== "gone" && ((change === "unknown" && !version) || movedTo !== undefined);
    if (pageId === undefined || hasNothing) return undefined;
    return () => pageFrom(this.#context.sql.get(PAGE).get(pageId) as Row);
  }

  #updateHosts(): void {
    const { session, backlog } = this.#context;
    const { hosts, runId } = this.#settlement;
    if (hosts.length === 0) return;
    const rows = hosts.map(({ host, wait, delay, cause, failures, isIdle }) => ({
      host_id: this.#hostIds.get(host)!,
      wait: Math.ceil(wait),
      delay: Math.ceil(Math.max(delay, wait)),
      cause,
      failures,
      is_idle: isIdle,
    }));
    this.#releasedHosts = session.sendQuery(statements.UPDATE_HOSTS, [...statements.hosts.values(rows), backlog.owner, runId, session.now]);
  }

  /** Stores the run's state. All workers share the run's row, so it is written only if the state changed. */
  #saveState(accepted: readonly Accepted[]): void {
    const { session, backlog, part } = this.#context;
    const { runId, counters, state, memory } = this.#settlement;
    const text = JSON.stringify(state);
    if (text !== part.state) session.execute("UPDATE run SET state = $2 WHERE id = $1", [runId, text]);
    const left = new Set(this.#settlement.visits.map(({ candidate }) => candidate.id));
    const out = arrayOf(backlog.inFlight.filter((visit) => !left.has(visit)));
    const seq = accepted.reduce((max, one) => Math.max(max, one.seq ?? 0), 0);
    session.execute(statements.SAVE_PART, [runId, session.id, part.serialize(counters), out, seq, this.#id]);
    if (memory !== undefined) {
      const keep =
        "INSERT INTO meta (key, value) VALUES ('memory.' || $1::text, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
      session.execute(keep, [String(runId), JSON.stringify(memory)]);
    }
  }
}

/** Before the transaction: inserts unknown hosts, and keeps them even if the transaction fails. */
export function hostsIn(session: WorkerSession, { visits, heard: newUrls, hosts, runId }: Settlement): ReadonlyMap<string, number> {
  session.join(runId);
  const names = new Set<string>();
  for (const { candidate } of visits) names.add(candidate.host);
  for (const { host } of newUrls) names.add(host);
  for (const { host } of hosts) names.add(host);
  return session.hostIds(names);
}
