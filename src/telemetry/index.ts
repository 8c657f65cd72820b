/**
 * What people see of a run. The room listens: it is told what happens and looks at the counters when it draws, and nothing in the crawl
 * waits for it. What is shown is decided by pure functions from one look to lines of text (`liveLines`, `progressLine`, `summaryLines`);
 * only `openProgress` has a clock and a stream. Whatever came from the web passes `printable` first, so that no page can command a terminal.
 */
export { count, several, size, span } from "./amounts.ts";
export { type LastPage, type Look, liveLines, progressLine } from "./live.ts";
export { printable } from "./printable.ts";
export { openProgress, type ProgressSetup, type ProgressView, type Screen } from "./progress.ts";
export { causeWords, skipGroups } from "./reasons.ts";
export { describingLines, modelLines, scoringParts } from "./scoring.ts";
export { type SummaryInput, summaryLines } from "./summary.ts";
