/** One look at a page. */
export interface Look {
  readonly at: number;
  /** Whether it differed from the look before. */
  readonly changed: boolean;
  /** When it last changed, if the server said so. */
  readonly modifiedAt: number | undefined;
}

/** Seconds are counted from here, so that with a bit to spare they fit 32 bits until 2088. */
const EPOCH = Date.UTC(2020, 0, 1);
const BYTES = 8;

/** A look as it is kept: the second it was taken, and the second of the change with a bit for whether there was one. */
export function packLook({ at, changed, modifiedAt }: Look): Uint8Array {
  const packed = new DataView(new ArrayBuffer(BYTES));
  packed.setUint32(0, secondsOf(at));
  packed.setUint32(4, secondsOf(modifiedAt ?? 0) * 2 + (changed ? 1 : 0));
  return new Uint8Array(packed.buffer);
}

const secondsOf = (at: number) => Math.min(0x7fffffff, Math.max(0, Math.floor((at - EPOCH) / 1000)));
const momentOf = (seconds: number) => EPOCH + seconds * 1000;

/** The looks at a page, oldest first. The first visit is kept nowhere but in the page itself, and only until looks were forgotten. */
export function looksOf(firstAt: number, packed: Uint8Array | undefined, isWhole: boolean): Look[] {
  const looks: Look[] = isWhole ? [{ at: firstAt, changed: false, modifiedAt: undefined }] : [];
  if (!packed) return looks;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at + BYTES <= packed.byteLength; at += BYTES) {
    const word = view.getUint32(at + 4);
    const modified = word >>> 1;
    looks.push({
      at: momentOf(view.getUint32(at)),
      changed: (word & 1) === 1,
      modifiedAt: modified === 0 ? undefined : momentOf(modified),
    });
  }
  return looks;
}
