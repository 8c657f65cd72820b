/** One look at a page. */
export interface Observation {
  readonly at: number;
  /** Whether it differed from the look before. */
  readonly changed: boolean;
  /** When it last changed, if the server said so. */
  readonly modifiedAt: number | undefined;
}

/** Start of the packed timestamps: seconds since then, with a flag bit, fit 32 bits until 2088. */
const EPOCH = Date.UTC(2020, 0, 1);
const BYTES_PER_ENTRY = 8;
const MAX_OBSERVATIONS = 32;

/** Adds a look to the packed ones. Each takes two words: the time of the look, and the time of the last change with a bit for `changed`. */
export function addObservation(packed: Uint8Array | undefined, { at, changed, modifiedAt }: Observation): Uint8Array {
  const before = packed?.subarray(-(MAX_OBSERVATIONS - 1) * BYTES_PER_ENTRY) ?? [];
  const all = new Uint8Array(before.length + BYTES_PER_ENTRY);
  all.set(before);
  const view = new DataView(all.buffer);
  view.setUint32(before.length, secondsOf(at));
  view.setUint32(before.length + 4, secondsOf(modifiedAt ?? 0) * 2 + (changed ? 1 : 0));
  return all;
}

const secondsOf = (at: number) => Math.min(0x7fffffff, Math.max(0, Math.floor((at - EPOCH) / 1000)));
const momentOf = (seconds: number) => EPOCH + seconds * 1000;

/** The looks at a page, oldest first. The first comes from the page's row; it is dropped once the packed list is full. */
export function observationsOf(firstAt: number, packed: Uint8Array | undefined): Observation[] {
  const first: Observation = { at: firstAt, changed: false, modifiedAt: undefined };
  if (!packed) return [first];
  const observations: Observation[] = packed.byteLength < MAX_OBSERVATIONS * BYTES_PER_ENTRY ? [first] : [];
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at + BYTES_PER_ENTRY <= packed.byteLength; at += BYTES_PER_ENTRY) {
    const word = view.getUint32(at + 4);
    const modified = word >>> 1;
    observations.push({
      at: momentOf(view.getUint32(at)),
      changed: (word & 1) === 1,
      modifiedAt: modified === 0 ? undefined : momentOf(modified),
    });
  }
  return observations;
}
