import { availableParallelism } from "node:os";
import { lookEvery } from "../clock.ts";
import { stopsOf } from "../fetch/index.ts";
import { Household, type HouseholdSetup, type Seat } from "./household.ts";
import { endGreedy } from "./memory.ts";

/** With more pages at once, they only wait for one another. */
export const tabsAtOnce = (): number => Math.min(4, 2 * availableParallelism());

/** A browser with more memory is replaced when its pages are done. */
const MOST_FOR_BROWSER = 2 * 1024 ** 3;
const BETWEEN_LOOKS = 500;

/** A limited number of tabs in one browser, which is replaced when it is worn out or has crashed. */
export class Pool {
  readonly #setup: HouseholdSetup;
  #household: Promise<Household> | undefined;
  readonly #households = new Set<Household>();
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #stopLooking: (() => void) | undefined;
  #isClosed = false;

  constructor(setup: HouseholdSetup) {
    this.#setup = setup;
    this.#free = setup.size;
  }

  /**
   * Waits for a tab. Undefined if the browser cannot open one; the next call uses a new browser. Rejects with the
   * signal's reason, or if no browser starts.
   */
  async take(host: string, signal: AbortSignal): Promise<Seat | undefined> {
    await this.#turn(signal);
    try {
      const seat = (await this.#seat(host)) ?? (await this.#seat(host));
      if (seat === undefined) {
        this.#pass();
        return undefined;
      }
      this.#stopLooking ??= lookEvery(BETWEEN_LOOKS, () => this.#look());
      const giveBack = async (isWell: boolean) => {
        await seat.giveBack(isWell);
        this.#pass();
      };
      return { ...seat, giveBack };
    } catch (error) {
      this.#pass();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopLooking?.();
    await this.#household?.catch(() => undefined);
    await Promise.all([...this.#households].map((one) => one.close()));
  }

  /** Undefined if the browser has crashed meanwhile or cannot open tabs. */
  async #seat(host: string): Promise<Seat | undefined> {
    const household = await this.#current();
    return household.take(host).catch(() => undefined);
  }

  async #current(): Promise<Household> {
    const known = this.#household;
    const current = await known;
    if (current?.isOpen) return current;
    if (this.#isClosed) throw new Error("the browsers are closed");
    // Another caller may have replaced it already.
    if (this.#household === known) this.#household = this.#open();
    return this.#current();
  }

  async #open(): Promise<Household> {
    try {
      const household = new Household(await this.#setup.launch(), this.#setup);
      for (const one of this.#households) if (one.isClosed) this.#households.delete(one);
      this.#households.add(household);
      return household;
    } catch (error) {
      this.#household = undefined;
      throw error;
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const called = () => {
        stopsOf(signal).delete(left);
        resolve();
      };
      const left = () => {
        this.#waiting.splice(this.#waiting.indexOf(called), 1);
        reject(signal.reason);
      };
      this.#waiting.push(called);
      stopsOf(signal).add(left);
    });
  }

  #pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
    if (this.#free < this.#setup.size) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  async #look(): Promise<void> {
    for (const household of this.#households) {
      const processes = await household.processes();
      endGreedy(processes);
      if (processes.reduce((sum, { memory }) => sum + memory, 0) > MOST_FOR_BROWSER) household.retire();
    }
  }
}
