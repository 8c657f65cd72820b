import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { widthOf } from "../src/engine/telemetry/columns.ts";
import { hasTerminal, nuthatch, type OnTerminal, startOnTerminal, tempFolder } from "./cli.ts";
import { generatedSite, type PageSpec, type RunningSite, serveSite } from "./site/index.ts";
import { Terminal } from "./terminal.ts";

const anchors = Array.from({ length: 20 }, (_, page) => `<a href="/p${page}">p${page}</a>`).join("");
const library: Record<string, PageSpec> = {
  "/robots.txt": { body: "User-agent: *\nCrawl-delay: 2", headers: { "Content-Type": "text/plain" } },
};
for (let page = 0; page < 20; page++)
  library[page === 0 ? "/" : `/p${page}`] = `<title>図書館のお知らせ ${page} 🏛️ 予算案</title><p>${"word ".repeat(page)}</p>${anchors}`;

let [town, books]: RunningSite[] = [];
beforeAll(async () => {
  town = await serveSite(generatedSite({ pages: 80, links: 4, seed: 3 }).pages, { address: "127.0.36.1" });
  books = await serveSite(library, { address: "127.0.36.2" });
});
afterAll(() => Promise.all([town!.close(), books!.close()]));

const FRAME_END = "\x1b[?2026l";

/** What a person saw, frame after frame. The line that `script` begins with is not ours. */
function replay({ seen }: OnTerminal, columns: number): { shots: string[][]; terminal: Terminal } {
  const terminal = new Terminal(columns);
  const shots: string[][] = [];
  for (const each of seen) {
    if ("columns" in each) {
      terminal.resize(each.columns);
      continue;
    }
    for (const part of each.text.split(new RegExp(`(?<=${FRAME_END.replace(/[[?]/g, "\\$&")})`))) {
      terminal.feed(part);
      if (part.endsWith(FRAME_END)) shots.push(ours(terminal.screen()));
    }
  }
  return { shots, terminal };
}

const ours = (lines: readonly string[]) => lines.join("\n").trimEnd().split("\n").slice(1);

async function watch(columns: number, more: string[] = [], during: (running: OnTerminal) => Promise<void> = async () => undefined) {
  using folder = tempFolder();
  const args = ["crawl", town!.origin, books!.origin, "--rate-limit", "8/s", "--max-time", "4s", ...more];
  const running = startOnTerminal(args, { cwd: folder.path, columns });
  await during(running);
  const { code } = await running.ended;
  return { code, ...replay(running, columns) };
}

describe.skipIf(!hasTerminal)("the live view on a terminal", () => {
  test.concurrent.each([[120], [80], [60], [40]])("at %i columns it is six lines at most, never blank, never wider", async (columns) => {
    const { code, shots, terminal } = await watch(columns);
    expect(code).toBe(0);
    const live = shots.slice(0, -1);
    expect(live.length).toBeGreaterThan(4);
    for (const shot of live) {
      expect(shot.length).toBeGreaterThanOrEqual(2);
      expect(shot.length).toBeLessThanOrEqual(6);
      expect(shot[0]).toMatch(/^127\.0\.36\.1:\d+ (and 1 more · run 1|.*…) +00:00:0\d$/);
      for (const line of shot) expect(widthOf(line)).toBeLessThan(columns);
    }
    // Both hosts count down, each with its cause.
    const both = live.filter(
      (shot) =>
        shot.some((line) => /in \d\.\d s +8\.0\/s \(our rate\)/.test(line)) &&
        shot.some((line) => /in \d\.\d s +Crawl-delay 2 s/.test(line)),
    );
    expect(both.length).toBeGreaterThan(0);
    // The summary stands where the view stood, and nothing of the view is left.
    const end = ours(terminal.all());
    expect(end[0]).toMatch(/^Stopped at --max-time 4 s +4(\.\d)? s$/);
    expect(end.join("\n")).not.toMatch(/queued|00:00:|next in/);
    expect(shots.at(-1)![0]).toMatch(/^Stopped/);
    expect(end.at(-1)).toBe("  resume    nuthatch resume 1");
    expect(terminal.isCursorShown).toBe(true);
    if (columns > 60) expect(terminal.hasBroken()).toBe(false);
  });

  test.concurrent("titles in wide characters keep their place", async () => {
    const { shots } = await watch(80, ["--exclude", `${town!.origin}/**`]);
    const rows = shots.flatMap((shot) => shot.filter((line) => line.includes("図書館")));
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) expect(widthOf(row)).toBe(79);
  });

  test.concurrent.each([
    [100, 60],
    [60, 110],
    [80, 40],
  ])("a window that goes from %i to %i columns shows one view, before and after", async (before, after) => {
    const { shots, terminal } = await watch(before, [], async (running) => {
      await running.shows(/00:00:02/);
      running.resize(after);
    });
    const widths = new Set(shots.slice(0, -1).map((shot) => widthOf(shot[0]!)));
    expect([...widths]).toEqual(expect.arrayContaining([before - 1, after - 1]));
    for (const shot of shots.slice(0, -1)) expect(shot.filter((line) => /00:00:0\d$/.test(line))).toHaveLength(1);
    expect(ours(terminal.all()).join("\n")).not.toMatch(/queued|00:00:/);
  });

  test.concurrent("it is calm: five frames a second at most", async () => {
    const { shots } = await watch(80);
    const clocks = shots.map((shot) => /00:00:\d\d$/.exec(shot[0]!)?.[0]);
    for (const clock of new Set(clocks)) expect(clocks.filter((each) => each === clock).length).toBeLessThanOrEqual(6);
  });

  test.concurrent("what is logged scrolls past above it", async () => {
    const { shots, terminal } = await watch(80, ["-v", "--max-pages", "12"]);
    expect(shots.some((shot) => /^\d\d:\d\d:\d\d fetched /.test(shot[0]!) && shot.some((line) => / · run 1/.test(line)))).toBe(true);
    const kept = terminal.all().join("\n");
    expect(kept.match(/^\d\d:\d\d:\d\d fetched /gm)).toHaveLength(12);
    expect(kept).not.toContain(" · run 1");
  });

  test.concurrent.each([
    ["--no-progress", ["--no-progress"], {}],
    ["--progress plain", ["--progress", "plain"], {}],
    ["-q", ["-q"], {}],
    ["--json", ["--json"], {}],
    ["--events to the same terminal", ["--events"], {}],
    ["CI", [], { CI: "true" }],
    ["TERM=dumb", [], { TERM: "dumb" }],
  ] as [string, string[], Record<string, string>][])("nothing is drawn with %s", async (_, more, env) => {
    using folder = tempFolder();
    const running = startOnTerminal(["crawl", town!.origin, "--rate-limit", "none", "--max-pages", "5", ...more], {
      cwd: folder.path,
      env,
    });
    const { code, screen } = await running.ended;
    expect([code, screen]).toEqual([0, expect.not.stringMatching(/\x1b\[(\?|\d*[ABJK])/)]);
  });

  test.concurrent.each([
    ["NO_COLOR", [], { NO_COLOR: "1" }],
    ["--color never", ["--color", "never"], {}],
  ] as [string, string[], Record<string, string>][])("%s takes the colours and leaves the view", async (_, more, env) => {
    using folder = tempFolder();
    const running = startOnTerminal(["crawl", town!.origin, "--rate-limit", "10/s", "--max-pages", "8", ...more], {
      cwd: folder.path,
      env,
    });
    const { screen } = await running.ended;
    expect(screen).not.toMatch(/\x1b\[[\d;]*m/);
    expect(screen).toContain("queued");
  });
});

test("a second crawl says that it is incremental", async () => {
  using folder = tempFolder();
  const args = ["crawl", town!.origin, "--rate-limit", "10/s", "--max-pages", "6"];
  await nuthatch(args, { cwd: folder.path });
  if (!hasTerminal) return;
  const { screen } = await startOnTerminal([...args, "--new"], { cwd: folder.path }).ended;
  expect(screen).toContain("· run 2 (incremental)");
});
