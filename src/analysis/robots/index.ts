/**
 * What a site asks of crawlers in general, and of us by name. This module parses bytes and never fetches. `parseRobots` keeps only the
 * rules for one agent (RFC 9309: all groups that name it, else those for `*`), `mayVisit` applies the most specific rule and names it,
 * `judgeRobots` interprets answers other than a file, and `indexing` reads the directives of pages. Files may be careless or hostile:
 * misspelt lines that restrict us are obeyed, and no file can make a decision slow.
 */
export { isProductToken, productTokenOf } from "./agent.ts";
export { type ContentSignals, contentSignals } from "./content-signal.ts";
export { indexing } from "./indexing.ts";
export { matchPathOf, mayVisit, robotsUrlFor } from "./match.ts";
export type { RobotsOptions } from "./options.ts";
export { parseRobots, type RobotsRules } from "./parse.ts";
export { judgeRobots, type RobotsAnswer } from "./robots-answer.ts";
