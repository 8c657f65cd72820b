/** Looks up tag and attribute names in the source, ignoring case and without copying: a page has hundreds of them. */

const SIZE = 0x400;

/** Incremental hash, updated for each letter; ignores case. */
export const withLetter = (hash: number, code: number): number => (Math.imul(hash, 31) + (code | 32)) & (SIZE - 1);

export class NameTable<T extends { readonly name: string }> {
  readonly #byHash: (T[] | undefined)[] = Array.from({ length: SIZE });

  constructor(entries: Iterable<T>) {
    for (const entry of entries) {
      let hash = 0;
      for (let at = 0; at < entry.name.length; at += 1) hash = withLetter(hash, entry.name.charCodeAt(at));
      this.#byHash[hash] = [...(this.#byHash[hash] ?? []), entry];
    }
  }

  /** Looks up the name in a range of character codes. */
  find(codes: Uint8Array, start: number, end: number, hash: number): T | undefined {
    const found = this.#byHash[hash];
    if (found === undefined) return undefined;
    for (const entry of found) if (isNamed(codes, start, end, entry.name)) return entry;
    return undefined;
  }
}

function isNamed(codes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let at = 0; at < name.length; at += 1) {
    const code = codes[start + at]!;
    const lower = code >= 65 && code <= 90 ? code + 32 : code;
    if (lower !== name.charCodeAt(at)) return false;
  }
  return true;
}
