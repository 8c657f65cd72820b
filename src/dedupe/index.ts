/**
 * Is this the same as another page? The room turns what a page says into small numbers that can be kept and compared: exact
 * hashes of its links and of its text, a simhash that stays close when the text stays close, hashes of its blocks with
 * dates and numbers masked, and the name under which its bytes are stored. It compares numbers and never decides what
 * follows from them. Everything is pure and one pass over the text, because it runs for every page on a worker thread.
 */

export { blockHashes } from "./blocks.ts";
export { contentHash, fingerprint, fingerprintOfBytes, printOf } from "./fingerprint.ts";
export { bands, hammingDistance, isNear } from "./simhash.ts";
