/** A host that is ours. */
interface Held {
  /** Tells this lease from those before and after it. */
  readonly epoch: number;
  /** We know when it is due: nobody else has asked it since we last did. */
  readonly isPaced: boolean;
  /** Until when, by our own clock, a turn without a delay need not be claimed. */
  readonly freshUntil: number;
}

/** What one process knows of the hosts it has leased for a run, and of the visits it has let out there. */
export class LeaseBook {
  readonly #held = new Map<string, Held>();
  /** Hosts that were ours, and of which the frontier may still have in memory what others have visited since. They may be ours again before it is told. */
  readonly #lost = new Set<string>();
  /** The visits that are out, with the lease they went out under. On disk before a host with a delay is asked; with the next transaction where there is none. */
  readonly #out = new Map<number, { readonly host: string; readonly epoch: number }>();
  /** How many of them, by host. */
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

  /** The lease under which a visit went out; undefined if nobody was asked for it. */
  leaseOf(visit: number): number | undefined {
    return this.#out.get(visit)?.epoch;
  }

  /** The frontier knows, or has nothing of it in memory. */
  told(host: string): void {
    this.#lost.delete(host);
  }

  /** Leased, and not asked yet. */
  hold(host: string, epoch: number): void {
    this.#held.set(host, { epoch, isPaced: false, freshUntil: 0 });
  }

  /** A turn of it was granted. */
  ask(host: string, epoch: number, freshUntil: number): void {
    this.#held.set(host, { epoch, isPaced: true, freshUntil });
  }

  /** Of those on disk: what is not as it was is lost, what is, is ours for longer. */
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
    // It may have been let out before, and put off.
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
