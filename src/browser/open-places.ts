import type { Unreachable } from "../fetch/index.ts";

/** A request in the clear, as it came to the exit. */
export interface Asked {
  readonly url: string;
  /** What the browser says it wants. */
  readonly accept: string;
}

type May = (asked: Asked) => boolean;

/** Which places are open, for whom, and what was the matter with them. */
export interface Places {
  open(place: string, may?: May): () => void;
  /** Whether it is open, or is opened in a moment. */
  isOpen(place: string): Promise<boolean>;
  may(place: string, asked: Asked): boolean;
  troubleAt(place: string): Unreachable | undefined;
  setTrouble(place: string, trouble: Unreachable | undefined): void;
}

/** A redirect goes out before we hear of it: so long it waits for somebody to let it. */
const PATIENCE = 300;

export function openPlaces(): Places {
  const opened = new Map<string, Set<{ readonly may: May | undefined }>>();
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
    open(place, may) {
      const held = opened.get(place) ?? new Set();
      opened.set(place, held);
      const one = { may };
      held.add(one);
      for (const go of [...(waiting.get(place) ?? [])]) go();
      return () => {
        held.delete(one);
        if (held.size > 0 || opened.get(place) !== held) return;
        opened.delete(place);
        troubles.delete(place);
      };
    },
    async isOpen(place) {
      if (!opened.has(place)) await wait(place);
      return opened.has(place);
    },
    may: (place, asked) => [...(opened.get(place) ?? [])].some(({ may }) => may === undefined || may(asked)),
    troubleAt: (place) => troubles.get(place),
    setTrouble(place, trouble) {
      if (trouble === undefined) troubles.delete(place);
      else if (opened.has(place)) troubles.set(place, trouble);
    },
  };
}
