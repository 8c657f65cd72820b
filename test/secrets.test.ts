import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { nuthatch, start } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { closers, cookieFile, fast, folderForTest, given, listen, SECRETS, said } from "./listener.ts";
import { generatedSite, serveSite } from "./site/index.ts";

describe("secrets are never kept or shown", () => {
  const filesIn = (folder: string) => readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "latin1"));

  test("not in the data file, not in what is printed or logged, also when killed; to resume they must be given again", async () => {
    const folder = folderForTest();
    const data = folderForTest();
    const site = await serveSite(generatedSite({ pages: 120, links: 6, seed: 32, words: 20 }).pages, {
      address: "127.0.32.7",
      latency: 15,
    });
    closers.push(site.close);
    const secrets = [...given, "--cookies", cookieFile(folder, "127.0.32.7")];
    const talk = ["--db", data.file("site.db"), "-vv", "--log-file", data.file("crawl.log")];
    const args = ["crawl", `${site.origin}/`, ...secrets, "--rate-limit", "none", "--save", "warc", "--events", ...talk];
    const first = start(args, { cwd: folder.path });
    while (site.log.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    first.kill("SIGKILL");
    const printed = [await first.ended];
    expect(printed[0]!.signal).toBe("SIGKILL");

    const before = site.log.length;
    const forgotten = await nuthatchHere(["resume", ...talk], { cwd: folder.path });
    expect(forgotten.code).toBe(2);
    expect(forgotten.stderr).toMatch(/the value of the header X-Key is missing\n {2}try: .*give it again/);
    const half = await nuthatchHere(["resume", ...talk, "--header", "X-Key: canary-header"], { cwd: folder.path });
    expect(half.stderr).toContain("user and password are missing");
    expect(site.log.length, "nothing was asked").toBe(before);

    printed.push(await nuthatch(["resume", ...secrets, ...talk, "--json"], { cwd: folder.path }));
    expect(printed[1]!.code, printed[1]!.stderr).toBe(0);
    expect(site.log.every(({ headers }) => headers["x-key"] === "canary-header" && headers.cookie === "session=canary-cookie")).toBe(true);
    printed.push(await nuthatch(["runs", "--json", "--db", data.file("site.db")]));
    const everything = [...filesIn(data.path), ...printed.flatMap(({ stdout, stderr }) => [stdout, stderr])].join("\n");
    expect(everything, "there is something to look through").toContain("X-Key:");
    for (const secret of SECRETS) expect(everything).not.toContain(secret);
    expect(everything).not.toContain("cookies.txt");
  });

  test("the environment brings them again by itself, and a run that began with others is not carried on", async () => {
    const folder = folderForTest();
    const site = await serveSite(generatedSite({ pages: 60, links: 6, seed: 33, words: 20 }).pages, { address: "127.0.32.8" });
    closers.push(site.close);
    const env = { NUTHATCH_HEADER: "X-Key: canary-header, too" };
    const crawl = (...more: string[]) =>
      nuthatchHere(["crawl", `${site.origin}/`, "--rate-limit", "none", ...more], { cwd: folder.path, env });
    expect((await crawl("--max-pages", "10")).code).toBe(0);
    const resumed = await nuthatchHere(["resume", "--max-pages", "none"], { cwd: folder.path, env });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(site.log.length).toBeGreaterThan(60);
    expect(site.log.every(({ headers }) => headers["x-key"] === "canary-header, too")).toBe(true);
    const stopped = start(["crawl", `${site.origin}/`, "--rate-limit", "20/s"], { cwd: folder.path, env });
    const before = site.log.length;
    while (site.log.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 5));
    stopped.kill("SIGKILL");
    await stopped.ended;
    const other = await nuthatchHere(["crawl", `${site.origin}/`, "--rate-limit", "20/s", "--max-pages", "1"], { cwd: folder.path });
    expect(other.stderr).toContain("run 2 is unfinished, but was started with another header; starting a new run");
  });
});

test("the command that carries on has a gap where a secret stood", async () => {
  const folder = folderForTest();
  const site = await listen("127.0.32.12", (path) => (path === "/" ? '<a href="/a">a</a>' : undefined));
  cookieFile(folder, "127.0.32.12");
  const flags = [
    ...given,
    "--header",
    "https://a.test Y: canary-header",
    "--cookies",
    "cookies.txt",
    "--max-pages",
    "1",
    "--json",
    ...fast,
  ];
  const { stdout } = await nuthatchHere(["crawl", `${site.origin}/`, ...flags], { cwd: folder.path });
  const command = "nuthatch resume 1 --max-pages 10000 --header 'X-Key: …' --header 'https://a.test Y: …' --auth '…' --cookies cookies.txt";
  expect(JSON.parse(stdout)).toMatchObject({ stopReason: "limit.pages", resumeCommand: command });
});

test("a config file draws them from the environment, names its cookie file beside itself, and config show hides them", async () => {
  const [folder, elsewhere] = [folderForTest(), folderForTest()];
  const site = await listen("127.0.32.11", (path) => (path === "/" ? "<p>home</p>" : undefined));
  cookieFile(folder, "127.0.32.11");
  const lines = [
    'header: ["X-Key: env:CITY_TOKEN"]',
    'auth: ["robin:env:CITY_PASSWORD"]',
    "cookies: cookies.txt",
    "proxy: http://me:env:CITY_PASSWORD@127.0.32.11:9",
  ];
  const [config, env] = [folder.file("nuthatch.config.yaml"), { CITY_TOKEN: "canary-header", CITY_PASSWORD: "canary-auth" }];
  writeFileSync(config, lines.join("\n"));
  const shown = await nuthatch(["config", "show", "--origin", "--json", "-c", config], { env });
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.stdout).not.toContain("canary");
  writeFileSync(config, lines.slice(0, 3).join("\n"));
  const crawl = ["crawl", `${site.origin}/`, "-c", config, ...fast];
  const lost = await nuthatchHere(crawl, { cwd: elsewhere.path, env: { CITY_TOKEN: "canary-header" } });
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringMatching(/CITY_PASSWORD is not set/)]);
  expect(site.asked).toEqual([]);
  expect((await nuthatchHere(crawl, { cwd: elsewhere.path, env })).code).toBe(0);
  for (const secret of [SECRETS[0], SECRETS[2], SECRETS[3]]) expect(said([site])).toContain(secret);
});

describe("mistakes are found before anything is asked or written", () => {
  test.each([
    ["a header that is ours", ["--header", "Host: canary"], /the header Host is not yours to set/],
    ["a header with two lines", ["--header", "X: canary\r\nHost: b"], /not one line of plain ASCII/],
    ["no header at all", ["--header", "canary"], /a header is written "Name: value"/],
    ["a user without a password", ["--auth", "canary"], /a user and a password belong together/],
    ["no cookie file", ["--cookies", "canary.txt"], /the cookie file canary.txt cannot be read\n {2}why: ENOENT/],
    ["a cookie file that is none", ["--cookies", "broken.txt"], /line 2 of the cookie file does not have seven fields\n {2}try: each line/],
    ["no CA file", ["--ca", "ca.pem"], /the CA file ca.pem cannot be read\n {2}why: ENOENT/],
    ["a CA file that is none", ["--ca", "broken.txt"], /the CA file holds no certificate/],
    ["a SOCKS proxy", ["--proxy", "socks5://canary:1"], /SOCKS proxies cannot be used/],
    ["a private place that is none", ["--allow-private", "a/b"], /--allow-private: "a\/b" is not an address/],
  ])("%s", async (_, flags, message) => {
    const folder = folderForTest();
    writeFileSync(folder.file("broken.txt"), "# cookies\nexample.org\tcanary\n");
    const { code, stdout, stderr } = await nuthatchHere(["crawl", "http://127.0.32.9:9/", ...flags], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(existsSync(folder.file("nuthatch.db"))).toBe(false);
    if (!message.source.includes("canary")) expect(stderr).not.toContain("canary");
  });

  test("a SOCKS proxy of the environment is named by its variable, and a flag of ours beats it", async () => {
    const folder = folderForTest();
    const refused = await nuthatchHere(["crawl", "http://127.0.32.9:9/"], {
      cwd: folder.path,
      env: { all_proxy: "socks5h://canary:1080" },
    });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^nuthatch: all_proxy: SOCKS proxies cannot be used/);
    const beaten = await nuthatchHere(["crawl", "http://127.0.32.9:9/", "--proxy", "http://127.0.32.9:9", "--retries", "0"], {
      cwd: folder.path,
      env: { all_proxy: "socks5h://canary:1080" },
    });
    expect(beaten.code).toBe(3);
    expect(beaten.stderr).toContain("the proxy 127.0.32.9:9 cannot be reached");
  });
});
