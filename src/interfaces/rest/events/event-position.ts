/** The position of a client in the event history (`Last-Event-ID`): one number for a single run, one number per run for all runs. */

/** The last settled outcome of each run. */
export type EventPositions = ReadonlyMap<number, number>;

const MAX_RUNS = 100;
const ONE_POSITION = /^(\d{1,12})(\.end)?$/;
const MANY_POSITIONS = /^\d{1,12}-\d{1,12}(_\d{1,12}-\d{1,12})*$/;

export const writePositions = (positions: EventPositions): string => [...positions].map(([run, seq]) => `${run}-${seq}`).join("_");

export function readPositions(text: string | undefined): EventPositions | undefined {
  if (text === undefined || text.length > 4000 || !MANY_POSITIONS.test(text)) return undefined;
  const pairs = text.split("_").slice(0, MAX_RUNS);
  return new Map(pairs.map((pair) => pair.split("-").map(Number) as [number, number]));
}

/** The position in one run; `isEnd` if the client already got the end of the run. */
export function readPosition(text: string | undefined): { readonly seq: number; readonly isEnd: boolean } | undefined {
  const [, digits, end] = ONE_POSITION.exec(text ?? "") ?? [];
  return digits === undefined ? undefined : { seq: Number(digits), isEnd: end !== undefined };
}
