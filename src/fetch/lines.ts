import type { DialSetup, Place } from "./dial.ts";
import { Line } from "./line.ts";

/** Enough to keep every host of a wide crawl connected between its turns, few enough for the usual limit on open files. */
const MAX_IDLE = 512;
/** How often connections are closed that were idle for too long. */
const SWEEP = 5000;

/** Keeps connections for their origin's next turn. How many are busy is its callers' affair; of the idle the longest idle go first. */
export class Lines {
  readonly #setup: DialSetup;
  readonly #idle = new Map<string, Line[]>();
  readonly #busy = new Set<Line>();
  #idleCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(setup: DialSetup) {
    this.#setup = setup;
  }

  take(origin: string, place: Place): Line {
    const idle = this.#idle.get(origin);
    const line = idle?.pop() ?? new Line(origin, place, this.#setup);
    if (idle !== undefined) {
      this.#idleCount -= 1;
      if (idle.length === 0) this.#idle.delete(origin);
    }
    this.#busy.add(line);
    return line;
  }

  give(line: Line): void {
    this.#busy.delete(line);
    if (line.isClosed) return;
    const others = this.#idle.get(line.origin) ?? [];
    others.push(line);
    this.#idle.delete(line.origin);
    this.#idle.set(line.origin, others);
    this.#idleCount += 1;
    if (this.#idleCount > MAX_IDLE) this.#closeOldest();
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const line of this.#busy) line.close();
    while (this.#idleCount > 0) this.#closeOldest();
  }

  #sweep(): void {
    for (const [origin, lines] of this.#idle) {
      const trusted = lines.filter((line) => !line.isStale);
      for (const line of lines) if (line.isStale) line.close();
      this.#idleCount -= lines.length - trusted.length;
      if (trusted.length > 0) this.#idle.set(origin, trusted);
      else this.#idle.delete(origin);
    }
  }

  #closeOldest(): void {
    const [origin, lines] = this.#idle.entries().next().value!;
    lines.shift()!.close();
    this.#idleCount -= 1;
    if (lines.length === 0) this.#idle.delete(origin);
  }
}
