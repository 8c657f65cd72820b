/** The position of a client in the event history (`Last-Event-ID`): one number for a single run, one number per run for all runs. */

/** The last settled outcome of each run. */
export type EventPlaces = ReadonlyMap<number, number>;

const MOST = 100;
const ONE = /^(\d{1,12})(\.end)?$/;
const MANY = /^\d{1,12}-\d{1,12}(_\d{1,12}-\d{1,12})*$/;

export const writePlaces = (places: EventPlaces): string => [...places].map(([run, seq]) => `${run}-${seq}`).join("_");

export function readPlaces(text: string | undefined): EventPlaces | undefined {
  if (text === undefined || text.length > 4000 || !MANY.test(text)) return undefined;
  const pairs = text.split("_").slice(0, MOST);
  return new Map(pairs.map((pair) => pair.split("-").map(Number) as [number, number]));
}

/** The position in one run; `isEnd` if the client already got the end of the run. */
export function readPlace(text: string | undefined): { readonly seq: number; readonly isEnd: boolean } | undefined {
  const [, digits, end] = ONE.exec(text ?? "") ?? [];
  return digits === undefined ? undefined : { seq: Number(digits), isEnd: end !== undefined };
}
