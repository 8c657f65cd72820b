import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hasTerminal, nuthatch, nuthatchBin, start, startOnTerminal, tempFolder } from "./cli.ts";
import { type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const CTRL_C = "\x03";

/** A chain of quick pages, and one that takes its time. */
function pages(slow: number): Record<string, PageSpec> {
  const quick = Array.from({ length: 6 }, (_, page) => [
    `/p${page}`,
    `<title>Page ${page}</title><p>text ${page}</p>${page < 5 ? `<a href="/p${page + 1}">on</a>` : ""}`,
  ]);
  return {
    "/": '<title>Home</title><a href="/slow">slow</a><a href="/p0">on</a>',
    "/slow": { body: "<title>Slow</title><p>at last</p>", delay: slow },
    ...Object.fromEntries(quick),
  };
}

const args = (site: RunningSite) => ["crawl", site.origin, "--rate-limit", "none", "--per-host", "1", "--order", "breadth"];
const isAsked = async (site: RunningSite, path: string) => {
  while (!site.log.some((request) => request.path === path)) await sleep(10);
};
const times = (site: RunningSite, path: string) => site.log.filter((request) => request.path === path).length;

/** Runs a line as somebody would who copied it from the screen. */
async function inShell(line: string, cwd: string): Promise<{ status: number | null; stderr: string }> {
  const script = `nuthatch() { "${process.execPath}" "${nuthatchBin}" "$@"; }\n${line}`;
  const child = spawn("sh", ["-c", script], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, stderr })));
}

const bare = (screen: string) => screen.replaceAll(/\x1b\[[?\d;]*[A-Za-z]/g, "");
const commandIn = (screen: string) => /^ {2}resume {4}(.*)$/m.exec(bare(screen))![1]!;

describe.skipIf(!hasTerminal)("Ctrl-C", () => {
  test.concurrent.each([
    ["the usual data file", "127.0.36.11", [], "."],
    ["a data file whose name has blanks and quotes", "127.0.36.12", ["--db", "my 'town' data.db"], "."],
    ["another folder", "127.0.36.13", ["--cwd", "a folder"], "a folder"],
    ["a data file that the config names", "127.0.36.14", ["-c", "other.json"], "."],
  ])("once: what is in flight is finished, and the command it prints carries on (%s)", async (_, address, more) => {
    using folder = tempFolder();
    mkdirSync(folder.file("a folder"));
    writeFileSync(folder.file("other.json"), '{"db": "other.db"}');
    const site = await serveSite(pages(1500), { address });
    const running = startOnTerminal([...args(site), ...more], { cwd: folder.path });
    await isAsked(site, "/slow");
    running.type(CTRL_C);
    const { code, screen } = await running.ended;
    expect(code).toBe(130);
    expect(screen).toContain("Finishing what is in flight; press Ctrl-C again to stop at once.");
    expect(bare(screen)).toMatch(/Stopped on request +\d/);
    expect(site.log.find(({ path }) => path === "/slow")!.status).toBe(200);
    expect(times(site, "/p3")).toBe(0);

    const again = await inShell(commandIn(screen), folder.path);
    expect([again.status, again.stderr]).toEqual([0, expect.stringContaining("Finished: nothing left in scope")]);
    expect(again.stderr).toMatch(/pages +8 /);
    // Nothing that was settled was asked for again.
    expect(
      site.log
        .filter(({ path }) => path !== "/robots.txt")
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...new Set(site.log.map(({ path }) => path))].filter((path) => path !== "/robots.txt").sort());
    await site.close();
  });

  test.concurrent("twice: it stops now, and what was in flight is visited when it is resumed", async () => {
    using folder = tempFolder();
    const site = await serveSite(
      { ...pages(0), "/slow": (hit) => ({ body: "<title>Slow</title><p>at last</p>", delay: hit === 1 ? 60_000 : 0 }) },
      { address: "127.0.36.15" },
    );
    const running = startOnTerminal([...args(site), "--timeout", "90s"], { cwd: folder.path });
    await isAsked(site, "/slow");
    running.type(CTRL_C);
    await running.shows("press Ctrl-C again");
    running.type(CTRL_C);
    const { code, screen } = await running.ended;
    expect([code, screen]).toEqual([
      130,
      expect.stringContaining("Stopping now; what was in flight is visited again when the run is resumed."),
    ]);
    const again = await inShell(commandIn(screen), folder.path);
    expect([again.status, again.stderr]).toEqual([0, expect.stringMatching(/pages +8 /)]);
    expect(times(site, "/slow")).toBe(2);
    await site.close();
  });

  test.concurrent("three times at once: it ends whatever it is doing, with its cursor back and its run kept", async () => {
    using folder = tempFolder();
    const site = await serveSite(pages(60_000), { address: "127.0.36.16" });
    const running = startOnTerminal([...args(site), "--timeout", "90s"], { cwd: folder.path });
    await isAsked(site, "/slow");
    await running.shows("queued");
    for (let press = 0; press < 3; press++) {
      running.type(CTRL_C);
      await sleep(40);
    }
    const { code, screen } = await running.ended;
    expect(code).toBe(130);
    expect(screen.lastIndexOf("\x1b[?25h")).toBeGreaterThan(screen.lastIndexOf("\x1b[?25l"));
    const { stdout } = await nuthatch(["runs", "--json"], { cwd: folder.path });
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ id: 1, status: "stopped" }] });
    await site.close();
  });
});

test("a quiet crawl that is stopped says in one line how to carry on", async () => {
  using folder = tempFolder();
  const site = await serveSite(pages(300), { address: "127.0.36.17" });
  const running = start([...args(site), "-q"], { cwd: folder.path });
  await isAsked(site, "/slow");
  running.kill("SIGINT");
  const { code, stdout, stderr } = await running.ended;
  expect([code, stdout, stderr]).toEqual([130, "", "nuthatch: stopped; nuthatch resume 1 carries on\n"]);
  await site.close();
});

/** A program that would rather not stop. */
const stubborn = `
import { onStopSignal } from ${JSON.stringify(new URL("../dist/src/interfaces/cli/stop-signal.js", import.meta.url).href)};
onStopSignal((times) => console.log("heard " + times));
console.log("heard 0");
setInterval(() => {}, 1000);`;

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("the third %s ends what does not end by itself, with %i", async (signal, code) => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", stubborn]);
  let heard = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    heard += text;
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  for (let times = 0; times < 3; times++) {
    while (!heard.includes(`heard ${times}`)) await sleep(10);
    child.kill(signal);
  }
  expect(await ended).toBe(code);
  expect(heard).toBe("heard 0\nheard 1\nheard 2\n");
});
