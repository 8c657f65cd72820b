/** What a reader needs besides where pages are more than their links: with it comes the extractor, which takes longer to load than all the rest. */
export { readMetadata } from "./read-metadata.ts";
export { sightOf } from "./read-sight.ts";
