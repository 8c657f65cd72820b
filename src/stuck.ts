/** The work that was asked for can never come to an end: it waits, and nothing is left in this process that could bring what it waits for. */
export class StuckError extends Error {
  readonly hint = "run the same command again; if this happens twice, please report it: it is a fault of Nuthatch";
  constructor(what: string) {
    super(`${what} cannot go on: it waits for an answer that can no longer come`);
    this.name = "StuckError";
  }
}

/** Answers whether it could give up something that was waited for, so that the work goes on. */
type Helper = () => boolean;

const helpers = new Set<Helper>();
const waiting = new Set<(helped: boolean) => void>();

/** Node is about to leave because nothing is left to wait for, which is its only sign that a promise will never be settled. */
function onEmptyLoop(): void {
  let isHelped = false;
  for (const help of [...helpers]) isHelped = help() || isHelped;
  // Node asks again only after the loop has had something to do. What was given up may have led nowhere.
  if (isHelped || waiting.size > 0) setTimeout(() => undefined, 0);
  for (const hear of [...waiting]) hear(isHelped);
}

function add<T>(set: Set<T>, item: T): () => void {
  // One listener for all: the process warns of more than ten.
  if (helpers.size + waiting.size === 0) process.on("beforeExit", onEmptyLoop);
  set.add(item);
  return () => {
    if (set.delete(item) && helpers.size + waiting.size === 0) process.off("beforeExit", onEmptyLoop);
  };
}

/** Asked first when nothing is left to wait for. What is returned takes it back. */
export const helpWhenStuck = (help: Helper): (() => void) => add(helpers, help);

/** The same promise, but rejected with a StuckError as soon as it is certain that it would stay pending. */
export function unlessStuck<T>(what: string, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = add(waiting, (isHelped: boolean) => {
      if (isHelped) return;
      forget();
      reject(new StuckError(what));
    });
    work().then(resolve, reject).finally(forget);
  });
}
