/** The requested work can never end: it waits for something that nothing in this process can still deliver. */
export class StuckError extends Error {
  readonly hint = "run the same command again; if this happens twice, please report it: it is a fault of Nuthatch";
  constructor(what: string) {
    super(`${what} cannot go on: it waits for an answer that can no longer come`);
    this.name = "StuckError";
  }
}

/** Gives up something that others wait for. Returns true if it did, so that the work can continue. */
type StuckHandler = () => boolean;

const stuckHandlers = new Set<StuckHandler>();
const waiting = new Set<(isHelped: boolean) => void>();

/** Called when Node would exit because the event loop is empty: its only sign that a promise will never settle. */
function onEmptyLoop(): void {
  let isHelped = false;
  for (const help of [...stuckHandlers]) isHelped = help() || isHelped;
  // Node emits beforeExit again only after the loop had something to do. Giving something up may not have been enough.
  if (isHelped || waiting.size > 0) setTimeout(() => undefined, 0);
  for (const notify of [...waiting]) notify(isHelped);
}

function add<T>(set: Set<T>, item: T): () => void {
  // One shared listener: Node warns of a leak above ten.
  if (stuckHandlers.size + waiting.size === 0) process.on("beforeExit", onEmptyLoop);
  set.add(item);
  return () => {
    if (set.delete(item) && stuckHandlers.size + waiting.size === 0) process.off("beforeExit", onEmptyLoop);
  };
}

/** Registers a helper that is called first when the event loop is empty. The returned function removes it. */
export const onStuck = (help: StuckHandler): (() => void) => add(stuckHandlers, help);

/** The same promise, but rejected with a StuckError as soon as it can no longer settle. */
export function rejectIfStuck<T>(what: string, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = add(waiting, (isHelped: boolean) => {
      if (isHelped) return;
      forget();
      reject(new StuckError(what));
    });
    work().then(resolve, reject).finally(forget);
  });
}
