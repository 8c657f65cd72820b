import { availableParallelism } from "node:os";
import { pollEvery } from "../../core/clock.ts";
import { abortCallbacksOf } from "../fetch/index.ts";
import { BrowserInstance, type InstanceSetup, type TabLease } from "./exit/browser-instance.ts";
import { killTooLarge } from "./memory.ts";

/** With more pages at once, they only wait for one another. */
export const maxTabs = (): number => Math.min(4, 2 * availableParallelism());

/** A browser with more memory is replaced when its pages are done. */
const MAX_BROWSER_BYTES = 2 * 1024 ** 3;
const CHECK_INTERVAL_MS = 500;

/** A limited number of tabs in one browser, which is replaced when it is worn out or has crashed. */
export class TabPool {
  readonly #setup: InstanceSetup;
  #instance: Promise<BrowserInstance> | undefined;
  readonly #instances = new Set<BrowserInstance>();
  readonly #waiting: (() => void)[] = [];
  #freeSlots: number;
  #stopChecking: (() => void) | undefined;
  #isClosed = false;

  constructor(setup: InstanceSetup) {
    this.#setup = setup;
    this.#freeSlots = setup.size;
  }

  /**
   * Waits for a tab. Undefined if the browser cannot open one; the next call uses a new browser. Rejects with the
   * signal's reason, or if no browser starts.
   */
  async leaseTab(host: string, signal: AbortSignal): Promise<TabLease | undefined> {
    await this.#waitForSlot(signal);
    try {
      const lease = (await this.#lease(host)) ?? (await this.#lease(host));
      if (lease === undefined) {
        this.#releaseSlot();
        return undefined;
      }
      this.#stopChecking ??= pollEvery(CHECK_INTERVAL_MS, () => this.#checkMemory());
      const release = async (isReusable: boolean) => {
        await lease.release(isReusable);
        this.#releaseSlot();
      };
      return { ...lease, release };
    } catch (error) {
      this.#releaseSlot();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopChecking?.();
    await this.#instance?.catch(() => undefined);
    await Promise.all([...this.#instances].map((candidate) => candidate.close()));
  }

  /** Undefined if the browser has crashed meanwhile or cannot open tabs. */
  async #lease(host: string): Promise<TabLease | undefined> {
    const instance = await this.#current();
    return instance.leaseForHost(host).catch(() => undefined);
  }

  async #current(): Promise<BrowserInstance> {
    const known = this.#instance;
    const current = await known;
    if (current?.isOpen) return current;
    if (this.#isClosed) throw new Error("the browsers are closed");
    // Another caller may have replaced it already.
    if (this.#instance === known) this.#instance = this.#open();
    return this.#current();
  }

  async #open(): Promise<BrowserInstance> {
    try {
      const instance = new BrowserInstance(await this.#setup.launch(), this.#setup);
      for (const candidate of this.#instances) if (candidate.isClosed) this.#instances.delete(candidate);
      this.#instances.add(instance);
      return instance;
    } catch (error) {
      this.#instance = undefined;
      throw error;
    }
  }

  async #waitForSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#freeSlots > 0) {
      this.#freeSlots -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onFree = () => {
        abortCallbacksOf(signal).delete(onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(onFree), 1);
        reject(signal.reason);
      };
      this.#waiting.push(onFree);
      abortCallbacksOf(signal).add(onAbort);
    });
  }

  #releaseSlot(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#freeSlots += 1;
    if (this.#freeSlots < this.#setup.size) return;
    this.#stopChecking?.();
    this.#stopChecking = undefined;
  }

  async #checkMemory(): Promise<void> {
    for (const instance of this.#instances) {
      const processes = await instance.processes();
      killTooLarge(processes);
      if (processes.reduce((sum, { memory }) => sum + memory, 0) > MAX_BROWSER_BYTES) instance.retire();
    }
  }
}
