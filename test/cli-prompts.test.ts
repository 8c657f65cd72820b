import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasTerminal, startOnTerminal, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { generatedSite, type RunningSite, serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none"];
const OWNER = "Is this site yours";
const CARRY_ON = "Carry on with it? [Y/n] ";
const CTRL_C = "\x03";
const CTRL_D = "\x04";

/** Runs stored in a folder, the latest first, each with how it ended. */
async function runsIn(cwd: string): Promise<[number, string][]> {
  const { stdout } = await nuthatchHere(["runs", "--json"], { cwd });
  return (JSON.parse(stdout) as { runs: { id: number; status: string }[] }).runs.map(({ id, status }) => [id, status]);
}

describe.skipIf(!hasTerminal)("ignoring robots.txt", () => {
  const robots = { body: "User-agent: *\nDisallow: /", headers: { "Content-Type": "text/plain" } };
  let site: RunningSite;
  beforeAll(async () => {
    site = await serveSite({ "/robots.txt": robots, "/": "<title>closed</title>" }, { address: "127.0.11.1" });
  });
  afterAll(() => site.close());
  const args = () => ["crawl", site.origin, "--no-robots", ...fast];

  test.concurrent.each([
    ["y", "y\n"],
    ["YES", "YES\n"],
    ["something else first", "perhaps\ny\n"],
  ])("is done when the owner says %s, and the run keeps that it was", async (_, keys) => {
    using folder = tempFolder();
    const running = startOnTerminal(args(), { cwd: folder.path });
    for (const line of keys.match(/.*\n/g)!) {
      await running.shows(OWNER);
      running.type(line);
    }
    expect(await running.ended).toMatchObject({ code: 0, screen: expect.stringContaining("Finished") });
    const { stdout } = await nuthatchHere(["runs", "show", "--json"], { cwd: folder.path });
    expect(JSON.parse(stdout)).toMatchObject({ run: { options: { respectRobots: false }, counters: { pages: 1 } } });
  });

  test.concurrent.each([
    ["Enter alone", [], "\n", 2, "--i-own-this-site"],
    ["no", [], "n\n", 2, "--i-own-this-site"],
    ["no, for -y does not speak for an owner", ["-y"], "n\n", 2, "--i-own-this-site"],
    ["the end of input", [], CTRL_D, 2, "--no-input"],
    ["Ctrl-C", [], CTRL_C, 130, "Nothing was changed."],
  ] as [string, string[], string, number, string][])("is not done after %s", async (_, more, keys, code, message) => {
    using folder = tempFolder();
    const running = startOnTerminal([...args(), ...more], { cwd: folder.path });
    await running.shows(/Is this site yours.*\[y\/N\] /);
    running.type(keys);
    expect(await running.ended).toMatchObject({ code, screen: expect.stringContaining(message) });
    expect(existsSync(folder.file("nuthatch.db"))).toBe(false);
  });

  test.concurrent("SIGTERM ends the question too", async () => {
    using folder = tempFolder();
    const running = startOnTerminal(args(), { cwd: folder.path });
    await running.shows(OWNER);
    running.kill("SIGTERM");
    expect((await running.ended).code).toBe(143);
    expect(existsSync(folder.file("nuthatch.db"))).toBe(false);
  });

  test.concurrent.each([
    ["--no-input", ["--no-input"], {}],
    ["--json", ["--json"], {}],
    ["CI", [], { CI: "true" }],
    ["the config on standard input", ["-c", "-"], {}],
  ] as [string, string[], Record<string, string>][])("is refused without a question with %s", async (_, more, env) => {
    using folder = tempFolder();
    const running = startOnTerminal([...args(), ...more], { cwd: folder.path, env });
    if (more.includes("-")) {
      await running.shows("process");
      running.type(`{}\n${CTRL_D}`);
    }
    const { code, screen } = await running.ended;
    expect([code, screen]).toEqual([2, expect.not.stringContaining(OWNER)]);
  });

  test.concurrent("bad input is refused before anybody is asked", async () => {
    using folder = tempFolder();
    const { code, screen } = await startOnTerminal([...args(), "-o", "pages.xls"], { cwd: folder.path }).ended;
    expect([code, screen]).toEqual([2, expect.not.stringContaining(OWNER)]);
  });
});

describe.skipIf(!hasTerminal)("an unfinished run of the same site", () => {
  /** A folder with a run that Ctrl-C ended, and the command that was given. */
  async function interrupted(address: string) {
    const folder = tempFolder();
    const site = await serveSite(generatedSite({ pages: 30, links: 3, seed: 4 }).pages, { address });
    const first = startOnTerminal(["crawl", site.origin, "--rate-limit", "20/s"], { cwd: folder.path });
    while (site.log.length < 8) await new Promise((resolve) => setTimeout(resolve, 20));
    first.type(CTRL_C);
    expect(await first.ended).toMatchObject({ code: 130, screen: expect.stringContaining("nuthatch resume 1") });
    const again = (more: string[] = [], env: Record<string, string> = {}) =>
      startOnTerminal(["crawl", site.origin, "--rate-limit", "20/s", ...more], { cwd: folder.path, env });
    return { folder, again, close: () => Promise.all([site.close(), folder[Symbol.dispose]()]) };
  }

  test.concurrent.each([
    ["Enter carries on with it", "127.0.11.2", "\n", [[1, "finished"]]],
    [
      "no starts a new one",
      "127.0.11.3",
      "no\n",
      [
        [2, "finished"],
        [1, "stopped"],
      ],
    ],
  ] as [string, string, string, [number, string][]][])("%s", async (_, address, keys, runs) => {
    const { folder, again, close } = await interrupted(address);
    const second = again();
    expect(await second.shows(CARRY_ON)).toMatch(/Run 1 of this site, begun \d{4}-.*, is unfinished: \d+ pages/);
    second.type(keys);
    expect((await second.ended).code).toBe(0);
    expect(await runsIn(folder.path)).toEqual(runs);
    await close();
  });

  test.concurrent.each([
    ["Ctrl-C", "127.0.11.4", CTRL_C, 130],
    ["the end of input", "127.0.11.5", CTRL_D, 2],
  ])("%s at the question changes nothing", async (_, address, keys, code) => {
    const { folder, again, close } = await interrupted(address);
    const before = await nuthatchHere(["runs", "--json"], { cwd: folder.path });
    const second = again();
    await second.shows(CARRY_ON);
    second.type(keys);
    expect((await second.ended).code).toBe(code);
    expect((await nuthatchHere(["runs", "--json"], { cwd: folder.path })).stdout).toBe(before.stdout);
    await close();
  });

  test.concurrent.each([
    ["-y", "127.0.11.6", ["-y"], {}, [1, "finished"]],
    ["--no-input", "127.0.11.7", ["--no-input"], {}, [1, "finished"]],
    ["CI", "127.0.11.8", [], { CI: "1" }, [1, "finished"]],
    ["--resume", "127.0.11.9", ["--resume"], {}, [1, "finished"]],
    ["--new", "127.0.11.10", ["--new"], {}, [2, "finished"]],
    ["other options, which start a new one", "127.0.11.11", ["--max-depth", "1"], {}, [2, "finished"]],
  ] as [string, string, string[], Record<string, string>, [number, string]][])(
    "is not asked about with %s",
    async (_, address, more, env, latest) => {
      const { folder, again, close } = await interrupted(address);
      const { code, screen } = await again(more, env).ended;
      expect([code, screen]).toEqual([0, expect.not.stringContaining(CARRY_ON)]);
      expect((await runsIn(folder.path))[0]).toEqual(latest);
      await close();
    },
  );
});
