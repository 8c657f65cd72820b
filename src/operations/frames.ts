/** Messages on a pipe: four bytes for the length, then the content. */
const HEAD = 4;

export function framed(bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD + bytes.length);
  frame.writeUInt32LE(bytes.length);
  frame.set(bytes, HEAD);
  return frame;
}

/** Calls `tell` with each complete message; calls `refuse` if one is longer than `most`. */
export function readFrames(most: number, tell: (message: Buffer) => void, refuse: () => void = () => undefined): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    parts.push(chunk);
    size += chunk.length;
    while (size >= HEAD) {
      if (parts[0]!.length < HEAD) parts = [Buffer.concat(parts)];
      const length = parts[0]!.readUInt32LE();
      if (length > most) return refuse();
      if (size < HEAD + length) return;
      const all = Buffer.concat(parts);
      parts = [all.subarray(HEAD + length)];
      size -= HEAD + length;
      tell(all.subarray(HEAD, HEAD + length));
    }
  };
}
