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
const STEP = 25;

export interface GuardSetup {
  readonly names: readonly string[];
  readonly isStrict: boolean;
  /** Timeout of a hook in real time, independent of the crawl's clock. */
  readonly patience?: number | undefined;
}

/** Catches, attributes and counts errors and timeouts of hooks; the hook's result is then ignored. */
export class HookGuard {
  readonly #isStrict: boolean;
  readonly #patience: number;
  readonly #reports: Map<string, { errors: number; lastError: string | undefined }>;

  constructor({ names, isStrict, patience = 10_000 }: GuardSetup) {
    this.#isStrict = isStrict;
    this.#patience = patience;
    this.#reports = new Map(names.map((name) => [name, { errors: 0, lastError: undefined }]));
  }

  /** For hooks that are called for every link and so must be synchronous. */
  now<T>(plugin: string, hook: string, call: () => T): T | undefined {
    try {
      const answer = call();
      if (!(answer instanceof Promise)) return answer;
      answer.catch(() => undefined); // the promise is ignored
    } catch (cause) {
      return this.#caught(plugin, hook, cause);
    }
    return this.fault(plugin, hook, "must answer at once, without a promise");
  }

  /**
   * For asynchronous hooks. A hook with many small steps calls `rest` between them, which yields to the event loop and throws after the
   * timeout.
   */
  async soon<T>(plugin: string, hook: string, call: (rest: () => Promise<void>) => T | Promise<T>): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`took longer than ${this.#patience / 1000} s`)), this.#patience);
    });
    late.catch(() => undefined); // handled by the race below, unless the hook is in time
    const end = performance.now() + this.#patience;
    let restedAt = performance.now();
    const rest = async () => {
      if (performance.now() > end) await late;
      if (performance.now() - restedAt < STEP) return;
      await new Promise((resolve) => setImmediate(resolve));
      restedAt = performance.now();
    };
    try {
      return await Promise.race([(async () => call(rest))(), late]);
    } catch (cause) {
      return this.#caught(plugin, hook, cause);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Records an unusable result. */
  fault(plugin: string, hook: string, message: string, cause?: unknown): undefined {
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

  #caught(plugin: string, hook: string, cause: unknown): undefined {
    if (cause instanceof PluginError) throw cause;
    return this.fault(plugin, hook, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
