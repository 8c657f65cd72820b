/**
 * Metadata after the crawl. Pages that have none, or that of an earlier extractor, or were marked, are read again from their stored bodies; what
 * is known of them is completed, not overwritten. And what only many pages together can tell is learned here: which blocks repeat on a site, and which sources
 * can be trusted on its host.
 */
export { type EnhancedPage, type FillTools, fill, type ReadAgain, readAgain, readStored } from "./fill.ts";
export { learnBoilerplate } from "./learn-boilerplate.ts";
export { rememberSources } from "./learn-sources.ts";
