/**
 * For tests of what is built on a crawl: a site without a network, a clock that need not be waited for, and assertions on a run.
 * Only the web and the time are made up; robots.txt, pace, frontier, reader and store are the real ones.
 */
export { expectRun, type RunExpectations } from "./expect-run.ts";
export type { FakeAnswer, FakePage, FakeRequest } from "./fake-fetcher.ts";
export { type FakeSite, fakeSite } from "./fake-site.ts";
export { VirtualClock } from "./virtual-clock.ts";
