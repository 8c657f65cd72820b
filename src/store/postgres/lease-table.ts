/** A leased host. */
interface HeldLease {
  /** Distinguishes this lease from earlier and later ones of the same host. */
  readonly epoch: number;
  /** True if we know when the host is due: no other process has asked it since our last request. */
  readonly isPaced: boolean;
  /** Until this time, by the local clock, a turn without a delay need not be claimed. */
  readonly freshUntil: number;
}

/** What one process knows about the hosts it has leased for a run, and about its visits in flight there. */
export class LeaseTable {
  readonly #leased = new Map<string, HeldLease>();
  /**
   * Hosts whose lease was lost, while the frontier may still hold URLs in memory that others have visited since. A host may be leased
   * again before the frontier learns of it.
   */
  readonly #lostHosts = new Set<string>();
  /**
   * Visits in flight, with the epoch of their lease. Written to disk before the request if the host has a delay, else with the next
   * transaction.
   */
  readonly #inFlight = new Map<number, { readonly host: string; readonly epoch: number }>();
  /** Visits in flight, by host. */
  readonly #busy = new Map<string, number>();

  get hosts(): string[] {
    return [...this.#leased.keys()];
  }

  get size(): number {
    return this.#leased.size;
  }

  get inFlight(): number[] {
    return [...this.#inFlight.keys()];
  }

  hasLease(host: string): boolean {
    return this.#leased.has(host);
  }

  isLost(host: string): boolean {
    return this.#lostHosts.has(host);
  }

  isPaced(host: string): boolean {
    return this.#leased.get(host)?.isPaced ?? false;
  }

  isFresh(host: string, at: number): boolean {
    return at < (this.#leased.get(host)?.freshUntil ?? 0);
  }

  isBusy(host: string): boolean {
    return this.#busy.has(host);
  }

  /** The epoch of the lease under which a visit was sent; undefined if it was not sent. */
  leaseOf(visit: number): number | undefined {
    return this.#inFlight.get(visit)?.epoch;
  }

  /** The frontier was told, or has none of the host's URLs in memory. */
  clearLost(host: string): void {
    this.#lostHosts.delete(host);
  }

  /** Leased, but no turn claimed yet. */
  addLease(host: string, epoch: number): void {
    this.#leased.set(host, { epoch, isPaced: false, freshUntil: 0 });
  }

  /** A turn was granted. */
  grantTurn(host: string, epoch: number, freshUntil: number): void {
    this.#leased.set(host, { epoch, isPaced: true, freshUntil });
  }

  /** Compares with the leases on disk: removes those that changed, and extends the freshness of the others. */
  compare(epochs: ReadonlyMap<string, number>, freshUntil: number): void {
    for (const [host, leased] of this.#leased) {
      if (epochs.get(host) !== leased.epoch) this.loseLease(host);
      else if (leased.isPaced) this.#leased.set(host, { ...leased, freshUntil });
    }
  }

  dropLease(host: string): void {
    this.#leased.delete(host);
  }

  loseLease(host: string): void {
    this.#leased.delete(host);
    this.#lostHosts.add(host);
  }

  visitStarted(visit: number, host: string): void {
    // It may have been sent before and deferred.
    this.visitEnded(visit);
    this.#busy.set(host, (this.#busy.get(host) ?? 0) + 1);
    this.#inFlight.set(visit, { host, epoch: this.#leased.get(host)?.epoch ?? 0 });
  }

  visitEnded(visit: number): void {
    const host = this.#inFlight.get(visit)?.host;
    if (host === undefined) return;
    this.#inFlight.delete(visit);
    const left = (this.#busy.get(host) ?? 0) - 1;
    if (left > 0) this.#busy.set(host, left);
    else this.#busy.delete(host);
  }

  clear(): void {
    this.#leased.clear();
    this.#busy.clear();
    this.#inFlight.clear();
  }
}
