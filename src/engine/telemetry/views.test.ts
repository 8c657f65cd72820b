import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DelayCause, StopReason } from "../../core/records.ts";
import { type Counters, noCounts, type Run } from "../../store/index.ts";
import type { HostPause, HostReport, RunResult } from "../crawl/index.ts";
import { widthOf } from "./columns.ts";
import { liveLines, progressLine, type RunSnapshot, type SummaryInput, summaryLines } from "./index.ts";

const counters: Counters = {
  ...noCounts(),
  pages: 1812,
  redirects: 22,
  failed: 3,
  errors: 14,
  bytes: 13_002_342,
  changes: { new: 9, changed: 31, same: 1766, gone: 4, unlinked: 2, unknown: 0 },
  skipped: {
    "scope.host": 3000,
    "scope.exclude": 120,
    "robots.disallow": 841,
    "params-cut": 602,
    depth: 298,
    "trap.repeat": 40,
    "trap.calendar": 5,
  },
  status: { "2xx": 680, "304": 1117, "3xx": 22, "4xx": 11 },
  scripted: 38,
};

const result: RunResult = {
  runId: 14,
  stopReason: "finished",
  isComplete: true,
  stats: counters,
  durationMs: 1_572_000,
  seeds: [],
  slowestHost: { host: "library.bozeman.net", cause: "crawl-delay", delayMs: 10_000, costMs: 540_000 },
};
const run: Run = {
  id: 14,
  kind: "crawl",
  uid: "u",
  status: "finished",
  stopReason: "finished",
  startedAt: 0,
  endedAt: 1,
  options: { maxPages: 10_000, maxTime: "none", maxBytes: 524_288_000 },
  seeds: ["https://www.bozeman.net/"],
  namedSeeds: [],
  sites: [],
  counters,
  owner: undefined,
  seq: 0,
  state: {},
};
const input: SummaryInput = { result, run, dbPath: "./nuthatch.db", dbBytes: 42_991_616, colour: false, resumeCommand: undefined };
const summaryOf = (change: Partial<RunResult>, more: Partial<SummaryInput> = {}) =>
  summaryLines({ ...input, result: { ...result, ...change }, ...more });

describe("summary", () => {
  test("of a finished run", () => {
    expect(summaryLines(input)).toEqual([
      "Finished: nothing left in scope                                    26 min 12 s",
      "  pages     1,812  new 9 · changed 31 · same 1,766 · gone 4 · unlinked 2",
      "  fetched   1,830  304 61% · 2xx 37% · redirects 22 · errors 14 (4xx 11) · 12.4 MB",
      "  skipped   4,906  out of scope 3,120 · robots 841 · params cut 602 · depth 298 · traps 45",
      "  polite    slowest host library.bozeman.net: Crawl-delay 10 s cost 9 min",
      "  note      38 pages look script-rendered → --render auto",
      "  saved     ./nuthatch.db (41 MB)   next: nuthatch changes · nuthatch explain <url>",
    ]);
  });

  test("of a run with browsers says how many pages they showed, and what they were shown in vain", () => {
    const rendering = { shown: 60, pages: { chromium: 40, firefox: 7 }, failed: { "render.timeout": 1 } };
    const lines = summaryOf({ stats: { ...counters, rendering } }, { run: { ...run, options: { render: "auto" } } });
    expect(lines).toContain("  rendered     47  chromium 40 · firefox 7 · in vain 12 · failed 1");
    expect(lines).toContain("  note      38 pages look script-rendered");
  });

  test("of a run that brought nothing says why, and nothing else", () => {
    const seeds = [
      { url: "https://x.test/", finalUrl: "https://x.test/", verdict: "failed", reason: "dns", rule: "x.test is not known\x1b[2J" },
      { url: "http://y.test/", finalUrl: "https://y.test:8443/", verdict: "skipped", reason: "private-network", rule: "" },
    ] as const;
    expect(
      summaryOf({ stats: { ...noCounts(), failed: 2, errors: 2 }, seeds, slowestHost: undefined, durationMs: 900 }, { dbBytes: undefined }),
    ).toEqual([
      "Finished: nothing left in scope                                          0.9 s",
      "  pages     0",
      "  fetched   0  errors 2",
      "  seed      https://x.test/ failed: x.test is not known\\x1b[2J",
      "  seed      http://y.test/ → https://y.test:8443/ skipped: private-network; if it is yours: --allow-private y.test:8443",
      "  saved     ./nuthatch.db   next: nuthatch explain <url>",
    ]);
  });

  test("of a run that brought pages names the seeds that were lost, too", () => {
    const url = "https://x.test/private";
    const seed = { url, finalUrl: url, verdict: "skipped", reason: "robots.disallow", rule: "Disallow: /private" } as const;
    const lines = summaryOf({ seeds: [{ ...seed, url: "https://x.test/", verdict: "fetched" }, seed] });
    expect(lines.filter((line) => line.startsWith("  seed"))).toEqual(["  seed      https://x.test/private skipped: Disallow: /private"]);
  });

  test.each([
    ["finished", "Finished: nothing left in scope"],
    ["limit.pages", "Stopped at --max-pages 10,000"],
    ["limit.time", "Stopped at --max-time"],
    ["limit.bytes", "Stopped at --max-bytes 500 MB"],
    ["stopped", "Stopped on request"],
    ["deferred", "Paused: the hosts that are left may not be asked for now"],
    ["failed", "Failed"],
  ] as [StopReason, string][])("%s", (stopReason, words) => {
    expect(summaryOf({ stopReason })[0]?.replace(/ +26 min 12 s$/, "")).toBe(words);
  });

  test.each<[string, HostPause["cause"], number, string]>([
    ["failed before", "backoff", 5, "back-off after 5 failures"],
    ["failed once", "backoff", 1, "back-off after 1 failure"],
    ["asks for it itself", "retry-after", 1, "Retry-After"],
    ["is asked as slowly as somebody wants", "rate", 0, "your rate"],
  ])("a run that waits for a host that %s says until when, and how to go on", (_, cause, failures, why) => {
    const at = new Date(2027, 4, 4, 9, 32, 10).getTime();
    const paused = [{ host: "x.test:8080", until: new Date(at + 20_000).toISOString(), cause, failures }];
    const more = { resumeCommand: "nuthatch resume 14", now: at };
    const lines = summaryOf({ stopReason: "deferred", isComplete: false, paused }, more);
    expect(lines[0]).toMatch(`Paused: x.test:8080 may be asked again at 09:33 (${why})`);
    expect(lines.at(-1)).toBe(`  resume    nuthatch resume 14   # x.test:8080 may be asked again at 09:33 (${why})`);
    const tomorrow = [{ ...paused[0]!, until: new Date(at + 86_400_000).toISOString() }];
    expect(summaryOf({ stopReason: "deferred", isComplete: false, paused: tomorrow }, more)[0]).toContain("at 2027-05-05 09:33");
  });

  test("an unfinished run says what it does not know and how to go on", () => {
    const stats = { ...counters, changes: { ...counters.changes, unknown: 1204 } };
    const lines = summaryOf({ stopReason: "stopped", isComplete: false, stats }, { resumeCommand: "nuthatch resume 14" });
    expect(lines).toContain("  unknown   1,204  known pages that were not reached: unknown, not gone");
    expect(lines.at(-1)).toBe("  resume    nuthatch resume 14");
    expect(lines[1]).not.toContain("unknown");
  });

  test("a finished run may not know either", () => {
    const stats = { ...counters, changes: { ...counters.changes, unknown: 7 } };
    expect(summaryOf({ stats })[1]).toMatch(/ · unknown 7$/);
  });

  test("numbers stand under each other", () => {
    const lines = summaryOf({ stats: { ...noCounts(), pages: 7, status: { "2xx": 1234 } } });
    expect(lines.slice(1, 3)).toEqual(["  pages         7", "  fetched   1,234  2xx 100%"]);
  });

  test.each([
    ["other reasons are one", { "max-links": 2, "score.below": 3, parse: 1 }, "other 6"],
    ["deep and long URLs are one", { components: 1, length: 2 }, "URL too long 3"],
    ["reasons of the server", { "http.4xx": 2, "http.429": 1 }, "refused by the server 3"],
    [
      "a page that forbids, a body that is refused",
      { "meta.nofollow": 4, type: 3, size: 2, "private-network": 1 },
      "nofollow 4 · type 3 · too large 2 · private network 1",
    ],
    ["the name of a prototype is one more reason", { constructor: 1 }, "other 1"],
    ["what is nought is not said", { depth: 0, type: 1 }, "type 1"],
  ])("%s", (_, skipped: Record<string, number>, words) => {
    const line = summaryOf({ stats: { ...counters, skipped } }).find((each) => each.startsWith("  skipped"));
    expect(line).toMatch(new RegExp(`\\d  ${words}$`));
  });

  test.each([
    ["retry-after", "asked to wait (Retry-After)"],
    ["slow", "answers slowly"],
    ["backoff", "backing off after errors"],
    ["rate", "our rate"],
  ] as [DelayCause, string][])("the slowest host: %s", (cause, words) => {
    const lines = summaryOf({ slowestHost: { host: "a.test", cause, delayMs: 90_000, costMs: 180_000 } });
    expect(lines).toContain(`  polite    slowest host a.test: ${words} cost 3 min`);
  });

  test("waiting costs no more than the run took, and what cost nothing is not said", () => {
    const slowestHost = { host: "a.test", cause: "slow", delayMs: 500, costMs: 50_000 } as const;
    expect(summaryOf({ slowestHost, durationMs: 20_000 }).join()).toContain("answers slowly cost 20 s");
    expect(summaryOf({ slowestHost: { ...slowestHost, costMs: 500 } }).join()).not.toContain("polite");
  });

  test("suggestions work where the database is", () => {
    expect(summaryLines({ ...input, dbPath: "my data/a.db" }).at(-1)).toContain('nuthatch changes --db "my data/a.db"');
  });

  test("a narrow window breaks its lines between words, and no command", () => {
    const lines = summaryLines({ ...input, columns: 44, resumeCommand: "nuthatch resume 14 --db 'a folder with a long name/nuthatch.db'" });
    expect(lines.slice(0, 6)).toEqual([
      "Finished: nothing left in scope  26 min 12 s",
      "  pages     1,812  new 9 · changed 31 ·",
      "            same 1,766 · gone 4 · unlinked 2",
      "  fetched   1,830  304 61% · 2xx 37% ·",
      "            redirects 22 ·",
      "            errors 14 (4xx 11) · 12.4 MB",
    ]);
    expect(lines.at(-1)).toBe("  resume    nuthatch resume 14 --db 'a folder with a long name/nuthatch.db'");
    for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(44);
  });

  test("colours only where asked, and the same words", () => {
    expect(summaryLines(input).join("")).not.toContain("\x1b");
    const coloured = summaryLines({ ...input, colour: true });
    expect(coloured.join("")).toContain("\x1b[");
    expect(coloured.map(bare)).toEqual(summaryLines(input));
  });
});

const host = (name: string, change: Partial<HostReport> = {}): HostReport => ({
  host: name,
  queued: 1310,
  inFlight: 0,
  done: 9,
  failures: 0,
  nextInMs: 600,
  delayMs: 1000,
  cause: "rate",
  ...change,
});
const slow = host("library.bozeman.net", { queued: 76, nextInMs: 8200, delayMs: 10_000, cause: "crawl-delay" });
const look: RunSnapshot = {
  title: "bozeman.net · run 14 (incremental)",
  elapsed: 461_000,
  progress: {
    counters: {
      ...counters,
      pages: 412,
      skipped: {},
      failed: 0,
      changes: { ...noCounts().changes, new: 6, changed: 11, same: 395 },
      status: { "2xx": 371, "304": 29 },
    },
    queued: 1386,
    inFlight: 2,
    hosts: [host("www.bozeman.net"), slow],
  },
  perMinute: 54.3,
  lastPages: [
    { url: "https://www.bozeman.net/a", change: "same" },
    { url: "https://www.bozeman.net/finance/fy27", change: "new", title: "FY27 Budget" },
  ],
  columns: 78,
  colour: false,
  phase: "crawling",
};
const hostsAre = (...hosts: HostReport[]): RunSnapshot => ({ ...look, progress: { ...look.progress, hosts } });

describe("live view", () => {
  test("six lines", () => {
    expect(liveLines(look)).toEqual([
      "bozeman.net · run 14 (incremental)                                    00:07:41",
      "  412 done   1,386 queued   54/min   2xx 371   304 29   12.4 MB",
      "  new 6   changed 11   same 395   errors 14",
      "  www.bozeman.net       next in 0.6 s   1.0/s (our rate)          1,310 queued",
      "  library.bozeman.net   next in 8.2 s   Crawl-delay 10 s             76 queued",
      "  ▸ www.bozeman.net/finance/fy27   FY27 Budget                             new",
    ]);
  });

  test("forty columns keep the countdown and its cause", () => {
    expect(liveLines({ ...look, columns: 40 })).toEqual([
      "bozeman.net · run 14 (increm…   00:07:41",
      "  412 done   1,386 queued   54/min",
      "  new 6   changed 11   same 395",
      "  www.boz…   in 0.6 s   1.0/s (our rate)",
      "  library…   in 8.2 s   Crawl-delay 10 s",
      "  ▸ /finance/fy27   FY27 Budget      new",
    ]);
  });

  test("a name is cut only where its row is full", () => {
    const lines = liveLines({ ...look, columns: 59 });
    expect(lines.slice(3)).toEqual([
      "  www.bozeman.net       in 0.6 s   1.0/s (our rate)",
      "  library.bozeman.net   in 8.2 s   Crawl-delay 10 s",
      "  ▸ www.bozeman.net/finance/fy27   FY27 Budget          new",
    ]);
    const asked = host("library.bozeman.net", { cause: "retry-after", nextInMs: 125_000 });
    expect(liveLines({ ...hostsAre(asked), columns: 40 })[3]).toBe("  libra…   in 2 min 5 s   asked to wait…");
  });

  test("more hosts than there are rows are counted", () => {
    const many = (length: number) => liveLines(hostsAre(...Array.from({ length }, (_, index) => host(`h${index}.test`))))[1];
    expect(many(2)).toMatch(/1,386 queued {3}/);
    expect(many(3)).toMatch(/1,386 queued on 3 hosts {3}/);
    expect(many(20)).toMatch(/1,386 queued on 20\+ hosts {3}/);
  });

  test("how many pages a minute is said once it is known", () => {
    expect(liveLines({ ...look, elapsed: 1900 })[1]).not.toContain("/min");
    expect(liveLines({ ...look, elapsed: 2000 })[1]).toContain("54/min");
  });

  test("with one host there is room for one more page, without its host", () => {
    const lines = liveLines(hostsAre(host("www.bozeman.net")));
    expect(lines).toHaveLength(6);
    expect(lines[4]).toMatch(/^ {2}▸ \/a +same$/);
    expect(lines[5]).toMatch(/^ {2}▸ \/finance\/fy27 {3}FY27 Budget +new$/);
  });

  test.each([
    ["asked to wait", { cause: "retry-after", nextInMs: 125_000 }, /next in 2 min 5 s {3}asked to wait \(Retry-After\)/],
    ["being asked", { inFlight: 1, nextInMs: 0 }, /asking now {6}1\.0\/s \(our rate\)/],
    ["due", { nextInMs: 0, cause: "slow" }, /due now {9}answers slowly/],
    ["no pace at all", { delayMs: 0 }, /next in 0\.6 s {3}our rate/],
    ["never", { nextInMs: Number.POSITIVE_INFINITY, cause: "backoff" }, /closed {10}backing off after errors/],
    ["errors", { cause: "backoff" }, /backing off after errors/],
  ] as [string, Partial<HostReport>, RegExp][])("a host: %s", (_, change, words) => {
    expect(liveLines(hostsAre(host("a.test", change)))[3]).toMatch(words);
  });

  test.each([
    ["probing", "bozeman.net · run 14 (incremental) · asking for pages"],
    ["stopping", "bozeman.net · run 14 (incremental) · stopping, 2 in flight"],
  ] as const)("%s is said", (phase, words) => {
    expect(liveLines({ ...look, phase })[0]).toContain(words);
    expect(progressLine({ ...look, phase })).toContain(phase);
  });

  test("no page commands the terminal, none is wider than it, whatever its width", () => {
    const text = fc.string({ unit: "binary", maxLength: 400 });
    const page = fc.record({ url: fc.oneof(fc.webUrl(), text), change: text, title: text });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(page, { maxLength: 3 }),
        fc.array(text, { maxLength: 3 }),
        fc.boolean(),
        (columns, lastPages, names, colour) => {
          const lines = liveLines({ ...hostsAre(...names.map((name) => host(name))), columns, lastPages, colour, title: names[0] ?? "" });
          for (const line of lines.map(bare)) {
            expect(line).not.toMatch(/\p{Cc}/u);
            expect(widthOf(line)).toBeLessThanOrEqual(columns);
          }
        },
      ),
    );
  });

  test("colours change no width", () => {
    expect(liveLines({ ...look, colour: true }).map(bare)).toEqual(liveLines(look));
  });
});

test("a line for logs tells who is next and why not yet", () => {
  expect(progressLine(look)).toBe(
    "00:07:41  412 done  1,386 queued  54/min  2xx 371  304 29  12.4 MB  www.bozeman.net next in 0.6 s (our rate)",
  );
});

function bare(line: string): string {
  return line.replace(/\x1b\[[\d;]*m/g, "");
}
