/**
 * Shows the progress and result of a run. It receives events and reads the counters when it draws; nothing in the crawl waits
 * for it. Pure functions turn a snapshot (`Look`) into lines of text (`liveLines`, `progressLine`, `summaryLines`); only
 * `openProgress` uses a clock and a stream. Remote text passes `printable` first, so that no page can control a terminal.
 */
export { count, formatDuration, plural, size } from "./amounts.ts";
export { type LastPage, liveLines, progressLine, type RunSnapshot } from "./live.ts";
export { printable } from "./printable.ts";
export { openProgress, type ProgressSetup, type ProgressView, type Screen } from "./progress.ts";
export { causeWords, skipGroups } from "./reasons.ts";
export { describingLines, modelLines, scoringParts } from "./scoring.ts";
export { type SummaryInput, summaryLines } from "./summary.ts";
