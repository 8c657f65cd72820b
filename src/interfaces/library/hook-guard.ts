/** Errors of a plugin in a run. */
export interface PluginReport {
  readonly errors: number;
  readonly lastError: string | undefined;
}

/** Thrown by a run with `strict` plugins. */
export class PluginError extends Error {
  readonly plugin: string;
  readonly hook: string;
  constructor(plugin: string, hook: string, message: string, options?: ErrorOptions) {
    super(`plugin ${plugin}: ${hook}: ${message}`, options);
    this.name = "PluginError";
    this.plugin = plugin;
    this.hook = hook;
  }
}

/** Maximum time in milliseconds for which a hook blocks the event loop between its steps. */
const MAX_STEP_MS = 25;

export interface GuardSetup {
  readonly names: readonly string[];
  readonly isStrict: boolean;
  /** Timeout of a hook in real time, independent of the crawl's clock. */
  readonly patience?: number | undefined;
}

/** Catches, attributes and counts errors and timeouts of hooks; the hook's result is then ignored. */
export class HookGuard {
  readonly #isStrict: boolean;
  readonly #timeout: number;
  readonly #reports: Map<string, { errors: number; lastError: string | undefined }>;

  constructor({ names, isStrict, patience: timeout = 10_000 }: GuardSetup) {
    this.#isStrict = isStrict;
    this.#timeout = timeout;
    this.#reports = new Map(names.map((name) => [name, { errors: 0, lastError: undefined }]));
  }

  /** For hooks that are called for every link and so must be synchronous. */
  runSync<T>(plugin: string, hook: string, call: () => T): T | undefined {
    try {
      const answer = call();
      if (!(answer instanceof Promise)) return answer;
      answer.catch(() => undefined); // the promise is ignored
    } catch (cause) {
      return this.#recordThrown(plugin, hook, cause);
    }
    return this.recordError(plugin, hook, "must answer at once, without a promise");
  }

  /**
   * For asynchronous hooks. A hook with many small steps calls `rest` between them, which yields to the event loop and throws after the
   * timeout.
   */
  async run<T>(plugin: string, hook: string, call: (yieldStep: () => Promise<void>) => T | Promise<T>): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`took longer than ${this.#timeout / 1000} s`)), this.#timeout);
    });
    timedOut.catch(() => undefined); // handled by the race below, unless the hook is in time
    const end = performance.now() + this.#timeout;
    let yieldedAt = performance.now();
    const yieldStep = async () => {
      if (performance.now() > end) await timedOut;
      if (performance.now() - yieldedAt < MAX_STEP_MS) return;
      await new Promise((resolve) => setImmediate(resolve));
      yieldedAt = performance.now();
    };
    try {
      return await Promise.race([(async () => call(yieldStep))(), timedOut]);
    } catch (cause) {
      return this.#recordThrown(plugin, hook, cause);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Records an unusable result. */
  recordError(plugin: string, hook: string, message: string, cause?: unknown): undefined {
    const report = this.#reports.get(plugin);
    if (report) {
      report.errors += 1;
      report.lastError = `${hook}: ${message}`;
    }
    if (this.#isStrict) throw new PluginError(plugin, hook, message, { cause });
    return undefined;
  }

  report(): Record<string, PluginReport> {
    return Object.fromEntries([...this.#reports].map(([name, report]) => [name, { ...report }]));
  }

  #recordThrown(plugin: string, hook: string, cause: unknown): undefined {
    if (cause instanceof PluginError) throw cause;
    return this.recordError(plugin, hook, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
