import type { Unreachable } from "../fetch/index.ts";

/** The hosts and URLs that are open, and the last error of each. */
export interface Places {
  open(place: string): () => void;
  /** Whether it is open, or is opened within `PATIENCE`. */
  isOpen(place: string): Promise<boolean>;
  troubleAt(place: string): Unreachable | undefined;
  setTrouble(place: string, trouble: Unreachable | undefined): void;
}

/** Milliseconds to wait for permission: a redirect is sent before it is reported to us. */
const PATIENCE = 300;

export function openPlaces(): Places {
  const opened = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  const troubles = new Map<string, Unreachable>();

  const wait = (place: string) =>
    new Promise<void>((resolve) => {
      const line = waiting.get(place) ?? new Set();
      waiting.set(place, line);
      const go = () => {
        clearTimeout(timer);
        line.delete(go);
        if (line.size === 0) waiting.delete(place);
        resolve();
      };
      const timer = setTimeout(go, PATIENCE);
      line.add(go);
    });

  return {
    open(place) {
      opened.set(place, (opened.get(place) ?? 0) + 1);
      for (const go of [...(waiting.get(place) ?? [])]) go();
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        const left = opened.get(place)! - 1;
        if (left > 0) return void opened.set(place, left);
        opened.delete(place);
        troubles.delete(place);
      };
    },
    async isOpen(place) {
      if (!opened.has(place)) await wait(place);
      return opened.has(place);
    },
    troubleAt: (place) => troubles.get(place),
    setTrouble(place, trouble) {
      if (trouble === undefined) troubles.delete(place);
      else if (opened.has(place)) troubles.set(place, trouble);
    },
  };
}
