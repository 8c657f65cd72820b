/**
 * Full-text search of pages. `readQuery` turns any user input into a valid query; scripts without spaces between words are split the same
 * way for indexing and for searching; `snippetOf` selects the part of a page that contains most of the query. This module does no I/O: the
 * store keeps the index.
 */
export { MAX_INDEXED_LENGTH, words } from "./index-words.ts";
export { type Query, readQuery, type Term } from "./query.ts";
export { type Snippet, snippetOf } from "./snippet.ts";
