/** Makes every chunk that is read from a socket worthless as soon as the reader has come back for the next one. */
import { Socket } from "node:net";

export const POISON = 0xff;

/**
 * Node gives each chunk memory of its own, so to keep one for later does no harm by accident. A rule that rests on that breaks when
 * Node, undici or we begin to use memory again. Whoever reads by `data` events is left alone: those are the servers of the tests.
 */
export function poisonReads(): { readonly count: () => number; restore(): void } {
  const { read } = Socket.prototype;
  const given = new WeakMap<Socket, Buffer>();
  let poisoned = 0;
  Socket.prototype.read = function (this: Socket, size?: number): Buffer | null {
    const before = given.get(this);
    if (before !== undefined) {
      before.fill(POISON);
      given.delete(this);
      poisoned += 1;
    }
    const chunk: Buffer | null = read.call(this, size);
    if (chunk === null || this.listenerCount("data") > 0) return chunk;
    const copy = Buffer.from(chunk);
    given.set(this, copy);
    return copy;
  };
  return {
    count: () => poisoned,
    restore: () => {
      Socket.prototype.read = read;
    },
  };
}
