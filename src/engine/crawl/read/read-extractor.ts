/**
 * Loaded dynamically, only for runs that extract metadata or render: the extractor takes longer to load than all other modules of a
 * reader.
 */
export { readMetadata } from "./read-metadata.ts";
export { checkPage } from "./read-page-check.ts";
