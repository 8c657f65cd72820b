/** Scores links under keywords. Works on words only; the texts are extracted from pages elsewhere. */
export { HIGH, scoreOf, scoreUnder, UNLISTED, type Weighed } from "./combine.ts";
export { type Clue, Focus, type FocusMemory, NO_CLUE, type Prospect } from "./focus.ts";
export { match } from "./match.ts";
export { openScorer } from "./open.ts";
export type { ScoreOptions } from "./options.ts";
export { kindOf, type LinkSight, type Scorer, type ScorerKind } from "./scorer.ts";
export { handedOn, sharkScore } from "./shark.ts";
export { topLinks } from "./top-links.ts";
