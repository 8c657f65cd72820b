/**
 * Metadata after the crawl. Pages without metadata, with that of an earlier extractor, or marked, are read again from their stored
 * bodies; existing values are completed, not overwritten. Also learns what only many pages together can show: which blocks repeat on a
 * site, and which sources can be trusted on its host.
 */
export { type EnhancedPage, type FillTools, fill, type RereadResult, readStored, rereadPage } from "./fill.ts";
export { learnBoilerplate } from "./learn-boilerplate.ts";
export { learnSourceTrust } from "./learn-sources.ts";
