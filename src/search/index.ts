/**
 * Pages found by their words. What a person types becomes a query that no spelling can break; scripts without spaces between words are cut the same
 * way when a page is indexed and when it is looked for; and of a page that was found the part is shown that says most of what was asked. A thinking room: where words
 * are kept is the store's.
 */
export { MOST_TEXT, words } from "./index-words.ts";
export { type Query, readQuery, type Term } from "./query.ts";
export { type Snippet, snippetOf } from "./snippet.ts";
