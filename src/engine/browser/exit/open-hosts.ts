import type { UnreachableError } from "../../fetch/index.ts";

/** The hosts and URLs that are open, and the last error of each. */
export interface OpenHosts {
  open(hostOrUrl: string): () => void;
  /** Whether it is open, or is opened within `MAX_WAIT_MS`. */
  isOpen(hostOrUrl: string): Promise<boolean>;
  lastErrorAt(hostOrUrl: string): UnreachableError | undefined;
  setError(hostOrUrl: string, error: UnreachableError | undefined): void;
}

/** Milliseconds to wait for permission: a redirect is sent before it is reported to us. */
const MAX_WAIT_MS = 300;

export function createOpenHosts(): OpenHosts {
  const openCounts = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  const errors = new Map<string, UnreachableError>();

  const wait = (hostOrUrl: string) =>
    new Promise<void>((resolve) => {
      const waiters = waiting.get(hostOrUrl) ?? new Set();
      waiting.set(hostOrUrl, waiters);
      const resume = () => {
        clearTimeout(timer);
        waiters.delete(resume);
        if (waiters.size === 0) waiting.delete(hostOrUrl);
        resolve();
      };
      const timer = setTimeout(resume, MAX_WAIT_MS);
      waiters.add(resume);
    });

  return {
    open(hostOrUrl) {
      openCounts.set(hostOrUrl, (openCounts.get(hostOrUrl) ?? 0) + 1);
      for (const resume of [...(waiting.get(hostOrUrl) ?? [])]) resume();
      let isClosed = false;
      return () => {
        if (isClosed) return;
        isClosed = true;
        const remaining = openCounts.get(hostOrUrl)! - 1;
        if (remaining > 0) return void openCounts.set(hostOrUrl, remaining);
        openCounts.delete(hostOrUrl);
        errors.delete(hostOrUrl);
      };
    },
    async isOpen(hostOrUrl) {
      if (!openCounts.has(hostOrUrl)) await wait(hostOrUrl);
      return openCounts.has(hostOrUrl);
    },
    lastErrorAt: (hostOrUrl) => errors.get(hostOrUrl),
    setError(hostOrUrl, error) {
      if (error === undefined) errors.delete(hostOrUrl);
      else if (openCounts.has(hostOrUrl)) errors.set(hostOrUrl, error);
    },
  };
}
