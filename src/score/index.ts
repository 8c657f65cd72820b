/** What a link is worth to whoever named keywords. Knows words, not pages: what it reads was taken out of the page before. */
export { scoreOf, UNLISTED, type Weighed } from "./combine.ts";
export { type Clue, Focus, type FocusMemory, NO_CLUE, type Prospect } from "./focus.ts";
export { openScorer } from "./lexical.ts";
export type { ScoreOptions } from "./options.ts";
export type { LinkSight, Scorer } from "./scorer.ts";
export { handedOn, sharkScore } from "./shark.ts";
