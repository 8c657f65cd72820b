/** Messages on a pipe: four bytes for the length, then the content. */
const HEADER_BYTES = 4;

export function toFrame(bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes.length);
  frame.writeUInt32LE(bytes.length);
  frame.set(bytes, HEADER_BYTES);
  return frame;
}

/** Calls `tell` with each complete message; calls `refuse` if one is longer than `most`. */
export function readFrames(
  maxLength: number,
  onMessage: (message: Buffer) => void,
  onTooLong: () => void = () => undefined,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    parts.push(chunk);
    size += chunk.length;
    while (size >= HEADER_BYTES) {
      if (parts[0]!.length < HEADER_BYTES) parts = [Buffer.concat(parts)];
      const length = parts[0]!.readUInt32LE();
      if (length > maxLength) return onTooLong();
      if (size < HEADER_BYTES + length) return;
      const all = Buffer.concat(parts);
      parts = [all.subarray(HEADER_BYTES + length)];
      size -= HEADER_BYTES + length;
      onMessage(all.subarray(HEADER_BYTES, HEADER_BYTES + length));
    }
  };
}
