/** A leased host. */
interface Held {
  /** Distinguishes this lease from earlier and later ones of the same host. */
  readonly epoch: number;
  /** True if we know when the host is due: no other process has asked it since our last request. */
  readonly isPaced: boolean;
  /** Until this time, by the local clock, a turn without a delay need not be claimed. */
  readonly freshUntil: number;
}

/** What one process knows about the hosts it has leased for a run, and about its visits in flight there. */
export class LeaseBook {
  readonly #held = new Map<string, Held>();
  /**
   * Hosts whose lease was lost, while the frontier may still hold URLs in memory that others have visited since. A host may be leased
   * again before the frontier learns of it.
   */
  readonly #lost = new Set<string>();
  /**
   * Visits in flight, with the epoch of their lease. Written to disk before the request if the host has a delay, else with the next
   * transaction.
   */
  readonly #out = new Map<number, { readonly host: string; readonly epoch: number }>();
  /** Visits in flight, by host. */
  readonly #busy = new Map<string, number>();

  get hosts(): string[] {
    return [...this.#held.keys()];
  }

  get size(): number {
    return this.#held.size;
  }

  get out(): number[] {
    return [...this.#out.keys()];
  }

  holds(host: string): boolean {
    return this.#held.has(host);
  }

  isLost(host: string): boolean {
    return this.#lost.has(host);
  }

  isPaced(host: string): boolean {
    return this.#held.get(host)?.isPaced ?? false;
  }

  isFresh(host: string, at: number): boolean {
    return at < (this.#held.get(host)?.freshUntil ?? 0);
  }

  isBusy(host: string): boolean {
    return this.#busy.has(host);
  }

  /** The epoch of the lease under which a visit was sent; undefined if it was not sent. */
  leaseOf(visit: number): number | undefined {
    return this.#out.get(visit)?.epoch;
  }

  /** The frontier was told, or has none of the host's URLs in memory. */
  told(host: string): void {
    this.#lost.delete(host);
  }

  /** Leased, but no turn claimed yet. */
  hold(host: string, epoch: number): void {
    this.#held.set(host, { epoch, isPaced: false, freshUntil: 0 });
  }

  /** A turn was granted. */
  ask(host: string, epoch: number, freshUntil: number): void {
    this.#held.set(host, { epoch, isPaced: true, freshUntil });
  }

  /** Compares with the leases on disk: removes those that changed, and extends the freshness of the others. */
  compare(epochs: ReadonlyMap<string, number>, freshUntil: number): void {
    for (const [host, held] of this.#held) {
      if (epochs.get(host) !== held.epoch) this.lose(host);
      else if (held.isPaced) this.#held.set(host, { ...held, freshUntil });
    }
  }

  letGo(host: string): void {
    this.#held.delete(host);
  }

  lose(host: string): void {
    this.#held.delete(host);
    this.#lost.add(host);
  }

  goesOut(visit: number, host: string): void {
    // It may have been sent before and deferred.
    this.cameBack(visit);
    this.#busy.set(host, (this.#busy.get(host) ?? 0) + 1);
    this.#out.set(visit, { host, epoch: this.#held.get(host)?.epoch ?? 0 });
  }

  cameBack(visit: number): void {
    const host = this.#out.get(visit)?.host;
    if (host === undefined) return;
    this.#out.delete(visit);
    const left = (this.#busy.get(host) ?? 0) - 1;
    if (left > 0) this.#busy.set(host, left);
    else this.#busy.delete(host);
  }

  clear(): void {
    this.#held.clear();
    this.#busy.clear();
    this.#out.clear();
  }
}
