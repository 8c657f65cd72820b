/**
 * Same as last time? A page is compared by its fingerprint with what was stored; a page that nobody mentioned any more is
 * probed once when the run has seen everything else. An unfinished run never says "gone".
 */
export { afterProbe, type ComparedBy, compare } from "./change.ts";
export type { RecrawlOptions } from "./options.ts";
