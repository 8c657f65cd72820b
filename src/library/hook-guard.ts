/** How a plugin fared in a run. */
export interface PluginReport {
  readonly errors: number;
  readonly lastError: string | undefined;
}

/** Thrown out of a run that is strict about its plugins. */
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

/** So long others wait at most for the steps of one hook, in milliseconds. */
const STEP = 25;

export interface GuardSetup {
  readonly names: readonly string[];
  readonly isStrict: boolean;
  /** How long a hook may take. Its time is the real one, whatever clock the crawl has. */
  readonly patience?: number | undefined;
}

/** A hook that throws or does not come back is caught, named and counted: what it would have said is left out. */
export class HookGuard {
  readonly #isStrict: boolean;
  readonly #patience: number;
  readonly #reports: Map<string, { errors: number; lastError: string | undefined }>;

  constructor({ names, isStrict, patience = 10_000 }: GuardSetup) {
    this.#isStrict = isStrict;
    this.#patience = patience;
    this.#reports = new Map(names.map((name) => [name, { errors: 0, lastError: undefined }]));
  }

  /** For hooks that are asked about every link and so have to answer at once. */
  now<T>(plugin: string, hook: string, call: () => T): T | undefined {
    try {
      const answer = call();
      if (!(answer instanceof Promise)) return answer;
      answer.catch(() => undefined); // nobody waits for it
    } catch (cause) {
      return this.#caught(plugin, hook, cause);
    }
    return this.fault(plugin, hook, "must answer at once, without a promise");
  }

  /** Work in many small steps calls `rest` between them: others get their turn, and work that is late ends there. */
  async soon<T>(plugin: string, hook: string, call: (rest: () => Promise<void>) => T | Promise<T>): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`took longer than ${this.#patience / 1000} s`)), this.#patience);
    });
    late.catch(() => undefined); // met below, or nobody is late
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

  /** Something it said is of no use. */
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
