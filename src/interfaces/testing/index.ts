/**
 * For tests of code that uses the crawler: a site without a network, a virtual clock, and assertions on a run. Only the web and the time
 * are fake; robots.txt, pace, frontier, reader and store are real.
 */
export { expectRun, type RunExpectations } from "./expect-run.ts";
export type { FakeAnswer, FakePage, FakeRequest } from "./fake-fetcher.ts";
export { type FakeSite, fakeSite } from "./fake-site.ts";
export { VirtualClock } from "./virtual-clock.ts";
