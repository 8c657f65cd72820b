import { LEVELS } from "../../core/records.ts";
import type { HostQueue } from "./host-queue.ts";
import { selectLevel } from "./selector.ts";

/** Hosts that are due, by user-set group (strictly) and by the front queue of their best candidate (biased). */
export class ReadyHosts {
  readonly #groups = new Map<number, HostQueue[][]>();
  #order: number[] = [];

  add(host: HostQueue): void {
    if (host.isReady) return;
    host.isReady = true;
    let levels = this.#groups.get(host.group);
    if (!levels) {
      levels = Array.from({ length: LEVELS }, () => []);
      this.#groups.set(host.group, levels);
      this.#order = [...this.#groups.keys()].sort((a, b) => a - b);
    }
    levels[host.bestLevel()]!.push(host);
  }

  /** The first hosts of the queues, up to this number in total. */
  firstHosts(limit: number): HostQueue[] {
    const found: HostQueue[] = [];
    for (const group of this.#order)
      for (const level of this.#groups.get(group)!) if (found.length < limit) found.push(...level.slice(0, limit - found.length));
    return found;
  }

  take(random: () => number): HostQueue | undefined {
    for (const group of this.#order) {
      const levels = this.#groups.get(group)!;
      const level = selectLevel((index) => levels[index]!.length > 0, random);
      const host = level < 0 ? undefined : levels[level]!.shift();
      if (!host) continue;
      host.isReady = false;
      return host;
    }
    return undefined;
  }
}
