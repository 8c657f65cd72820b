/**
 * Is this page equal or similar to another? This module reduces a page to small numbers that can be stored and compared: exact hashes of
 * its links and of its text, a simhash that stays close when the text stays close, hashes of its blocks with dates and numbers masked, and
 * the name under which its bytes are stored. It only compares; callers decide what follows. Everything is pure and reads the text in one
 * pass, because it runs for every page on a worker thread.
 */

export { blockHashes } from "./blocks.ts";
export { contentHash, fingerprint, fingerprintHash, fingerprintOfBytes } from "./fingerprint.ts";
export { bands, hammingDistance, isNear } from "./simhash.ts";
