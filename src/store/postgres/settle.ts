import type { Page } from "../../records.ts";
import type { Settled, SettledVisit, Settlement } from "../settlement.ts";
import { keepExchange } from "../sqlite/exchanges.ts";
import { keepHomes } from "../sqlite/homes.ts";
import { onPage } from "../sqlite/link-reads.ts";
import { keepHint } from "../sqlite/looks.ts";
import { pageFrom, type Row } from "../sqlite/rows.ts";
import { PAGE } from "../sqlite/settle-statements.ts";
import type { PostgresBacklog } from "./backlog.ts";
import { arrayOf, linesIn } from "./columns.ts";
import type { Presence } from "./presence.ts";
import type { RunPart } from "./run-parts.ts";
import { LedgerWork } from "./settle-ledger.ts";
import { needsPage, needsVersion, type PageContext, PageWork } from "./settle-pages.ts";
import * as statements from "./settle-statements.ts";

export interface SettleContext extends PageContext {
  readonly backlog: PostgresBacklog;
  readonly part: RunPart;
}

/** A locked host. Fellows: another worker of this run has leased it. */
interface HostState {
  readonly epoch: number;
  readonly isOurs: boolean;
  readonly isFellows: boolean;
}

const hostStateFrom = ([id, epoch, isOurs, isFellows]: readonly string[]): [id: number, state: HostState] => [
  Number(id),
  { epoch: Number(epoch), isOurs: isOurs === "1", isFellows: isFellows === "1" },
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
  readonly #ledger: LedgerWork;
  readonly pages: PageWork;
  readonly #hostIds: ReadonlyMap<string, number>;
  #numbers: { seqs: number[]; pages: number[]; versions: number[] } = { seqs: [], pages: [], versions: [] };
  readonly #stale = new Set<number>();
  /** Hosts released by this settlement. */
  #freed: () => Row[] = () => [];

  constructor(context: SettleContext, settlement: Settlement, { id, hostIds }: { id: string; hostIds: ReadonlyMap<string, number> }) {
    this.#context = context;
    this.#hostIds = hostIds;
    this.#settlement = settlement;
    this.#id = id;
    this.#ledger = new LedgerWork(context.presence, settlement);
    this.pages = new PageWork(context, settlement);
  }

  write(): Settled {
    const { presence, sql } = this.#context;
    const { heard, runId, exchanges = [], hints = [] } = this.#settlement;
    presence.send(statements.MANNERS, []);
    const isOurs = this.#fence();
    const accepted = this.#accept();
    const nearer = this.#nearerOf(accepted);
    this.#ledger.endVisits(accepted.filter(({ visit }) => visit.candidate.id !== 0));
    const told = this.#ledger.hear(
      heard.map((one) => (one.parentId !== undefined && this.#isStale(one.parentId) ? undefined : one)),
      this.#hostIds,
    );
    const nearerPages = this.#ledger.hearAgain();
    for (const [index, depth] of nearer.entries()) {
      if (depth !== undefined) this.#ledger.isNearer(this.#settlement.visits[index]!.candidate.id, depth);
    }
    this.#ledger.oweNearness();
    const waitingIds = this.#ledger.hearMore();
    const isNewForOthers = this.#ledger.count(isOurs);
    this.#tellHosts();
    if (runId > 0) this.#note(accepted);
    this.pages.write(nearerPages, this.#hostIds);
    keepHomes(sql, this.#settlement);
    for (const news of hints) keepHint(sql, news);
    for (const exchange of exchanges) keepExchange(sql, runId, exchange);
    if (isNewForOthers) presence.callOthers(runId);
    const shown = this.#byVisit(accepted, ({ visit, pageId }) => this.#shown(visit, pageId));
    return {
      heardIds: told.map(({ id }) => id),
      notUnfollowed: this.#ledger.notUnfollowed,
      known: told.map(({ known }) => known),
      nearer,
      stale: this.#stale,
      pageIds: this.#byVisit(accepted, ({ visit, pageId }) => (this.#shown(visit, pageId) ? pageId : undefined)),
      seqs: this.#byVisit(accepted, ({ seq }) => seq),
      waitingIds,
      pages: shown,
      found: this.pages.links?.found ?? [],
      linksOf: (pageId) => onPage(sql, pageId),
    };
  }

  /**
   * Called after the commit. If the answer to the commit was lost, the released hosts are unknown; the next claim of each shows who owns
   * it.
   */
  conclude(isHeard: boolean): void {
    const { backlog, part } = this.#context;
    for (const { candidate } of this.#settlement.visits) backlog.cameBack(candidate.id);
    const idle = this.#settlement.hosts.flatMap(({ host, isIdle }) => (isIdle ? [host] : []));
    const freed = isHeard ? linesIn(this.#freed()).map(([host]) => host!) : idle;
    for (const host of freed) backlog.letGo(host);
    part.wrote(this.#settlement.counters);
    part.state = JSON.stringify(this.#settlement.state);
  }

  /** Locks hosts, then rows. Returns a check whether a host is leased by us. */
  #fence(): (hostId: number) => boolean {
    const { presence, backlog } = this.#context;
    const { visits, hosts, runId } = this.#settlement;
    const isNumbered = visits.length > 0;
    const ids = new Set<number>();
    for (const { candidate } of visits) ids.add(this.#hostIds.get(candidate.host)!);
    for (const { host } of hosts) ids.add(this.#hostIds.get(host)!);
    const counts = [visits.filter(({ isRetry }) => !isRetry).length, visits.filter(needsPage).length, visits.filter(needsVersion).length];
    const locked = presence.post(statements.LOCK_HOSTS, [arrayOf([...ids]), backlog.owner, runId, presence.now]);
    const numbers = isNumbered ? presence.post(statements.NUMBERS, counts) : undefined;
    const part = presence.post(statements.LOCK_PART, [runId, presence.id]);
    this.#ledger.lock();
    const states = new Map(linesIn(locked()).map(hostStateFrom));
    const [row] = numbers?.() ?? [];
    if (row) {
      const listed = (text: unknown) => JSON.parse(String(text)) as number[];
      this.#numbers = { seqs: listed(row.seqs), pages: listed(row.pages), versions: listed(row.versions) };
    }
    for (const [index, visit] of visits.entries()) if (!this.#mayBeWritten(visit, states)) this.#stale.add(index);
    if (runId > 0 && part().length === 0) presence.renew();
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
    return epoch === undefined ? !host.isFellows : host.isOurs && host.epoch === epoch;
  }

  #isStale(rowId: number): boolean {
    return this.#stale.size > 0 && [...this.#stale].some((index) => this.#settlement.visits[index]!.candidate.id === rowId);
  }

  #accept(): Accepted[] {
    const { seqs, pages, versions } = this.#numbers;
    const next = (numbers: number[]) => () => numbers.shift()!;
    return this.#settlement.visits.flatMap((visit, index) => {
      if (this.#stale.has(index)) return [];
      const seq = visit.isRetry ? undefined : seqs.shift();
      const depth = Math.min(visit.depth, this.#ledger.of(visit.candidate.id)?.depth ?? visit.depth);
      const pageId = this.pages.add(visit, { seq, depth, page: next(pages), version: next(versions) });
      return [{ index, visit, seq, pageId }];
    });
  }

  /** Depths of visits for which another process found a smaller depth. */
  #nearerOf(accepted: readonly Accepted[]): (number | undefined)[] {
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

  #shown({ page }: SettledVisit, pageId: number | undefined): (() => Page) | undefined {
    const { change, movedTo, version } = page ?? {};
    const hasNothing = change !== "gone" && ((change === "unknown" && !version) || movedTo !== undefined);
    if (pageId === undefined || hasNothing) return undefined;
    return () => pageFrom(this.#context.sql.get(PAGE).get(pageId) as Row);
  }

  #tellHosts(): void {
    const { presence, backlog } = this.#context;
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
    this.#freed = presence.post(statements.HOST_NEWS, [...statements.hosts.values(rows), backlog.owner, runId, presence.now]);
  }

  /** Stores the run's state. All workers share the run's row, so it is written only if the state changed. */
  #note(accepted: readonly Accepted[]): void {
    const { presence, backlog, part } = this.#context;
    const { runId, counters, state, memory } = this.#settlement;
    const text = JSON.stringify(state);
    if (text !== part.state) presence.send("UPDATE run SET state = $2 WHERE id = $1", [runId, text]);
    const left = new Set(this.#settlement.visits.map(({ candidate }) => candidate.id));
    const out = arrayOf(backlog.out.filter((visit) => !left.has(visit)));
    const seq = accepted.reduce((most, one) => Math.max(most, one.seq ?? 0), 0);
    presence.send(statements.NOTE, [runId, presence.id, part.textOf(counters), out, seq, this.#id]);
    if (memory !== undefined) {
      const keep =
        "INSERT INTO meta (key, value) VALUES ('memory.' || $1::text, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
      presence.send(keep, [String(runId), JSON.stringify(memory)]);
    }
  }
}

/** Before the transaction: inserts unknown hosts, and keeps them even if the transaction fails. */
export function hostsIn(presence: Presence, { visits, heard, hosts, runId }: Settlement): ReadonlyMap<string, number> {
  presence.join(runId);
  const names = new Set<string>();
  for (const { candidate } of visits) names.add(candidate.host);
  for (const { host } of heard) names.add(host);
  for (const { host } of hosts) names.add(host);
  return presence.hostIds(names);
}
