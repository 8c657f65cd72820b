/**
 * What a site asks of crawlers, and of us by name. The room reads bytes and answers; it never fetches. `parseRobots` keeps only what one
 * agent is told (RFC 9309: all groups that name it, else those for `*`), `mayVisit` lets the most specific rule decide and names it,
 * `judgeRobots` says what an answer other than a file means, and `indexing` reads what pages say about themselves. Files are written by
 * people and by enemies: misspelt lines that restrict us are obeyed, and no file makes a decision slow.
 */
export { isProductToken, productTokenOf } from "./agent.ts";
export { type ContentSignals, contentSignals } from "./content-signal.ts";
export { indexing } from "./indexing.ts";
export { judgeRobots, type RobotsAnswer } from "./judge.ts";
export { matchPathOf, mayVisit, robotsUrlFor } from "./match.ts";
export type { RobotsOptions } from "./options.ts";
export { parseRobots, type RobotsRules } from "./parse.ts";
