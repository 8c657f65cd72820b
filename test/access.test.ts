import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { afterEach, describe, expect, test } from "vitest";
import { makeCertificates } from "./certificates.ts";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { generatedSite, serveSite } from "./site/index.ts";

const SECRETS = ["canary-header", "canary-auth", Buffer.from("robin:canary-auth").toString("base64"), "canary-cookie"];
const given = ["--header", "X-Key: canary-header", "--auth", "robin:canary-auth"];
const fast = ["--rate-limit", "none", "--max-concurrent", "8", "--retries", "0"];

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function folderForTest() {
  const folder = tempFolder();
  closers.push(() => folder[Symbol.dispose]());
  return folder;
}

interface Listener {
  readonly origin: string;
  /** Path and raw headers of each request. */
  readonly asked: { readonly path: string; readonly said: string }[];
}

/** A string is a page, an URL with a scheme where to go instead. */
type Pages = (path: string) => string | { readonly to: string } | undefined;

async function listen(address: string, pages: Pages, tls?: { key: string; cert: string }): Promise<Listener> {
  const asked: Listener["asked"] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "";
    asked.push({ path, said: request.rawHeaders.join("\n") });
    const page = pages(path);
    if (page === undefined) response.writeHead(404).end();
    else if (typeof page !== "string")
      response.writeHead(302, { location: page.to, "set-cookie": "tracker=canary-cookie-set; Path=/" }).end();
    else
      response
        .setHeader("content-type", path.endsWith(".xml") ? "application/xml" : path === "/robots.txt" ? "text/plain" : "text/html")
        .end(page);
  };
  const server = tls ? createHttps(tls, answer) : createHttp(answer);
  await new Promise<void>((ready) => server.listen(0, address, ready));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  return { origin: `${tls ? "https" : "http"}://${address}:${(server.address() as { port: number }).port}`, asked };
}

const link = (url: string) => `<a href="${url}">${url}</a>`;
const said = (listeners: readonly Listener[]) => listeners.flatMap(({ asked }) => asked.map((request) => request.said)).join("\n");

function cookieFile(folder: { file(name: string): string }, ...hosts: string[]): string {
  const path = folder.file("cookies.txt");
  const lines = hosts.map((host) => [host, "FALSE", "/", "FALSE", "0", "session", "canary-cookie"].join("\t"));
  writeFileSync(path, `# Netscape HTTP Cookie File\n${lines.join("\n")}\n`);
  return path;
}

describe("what is given to be let in", () => {
  /** A seed that leads to three others in every way it can: another host, another port, another scheme. */
  async function web(folder: { path: string }) {
    const certificates = makeCertificates(folder.path, ["IP:127.0.32.1"]);
    const others: Listener[] = [];
    const [host, port] = [0, 1].map((n) => () => others[n]!.origin);
    const onward = (path: string) => (path === "/on" ? { to: `${port!()}/two-hops` } : path === "/robots.txt" ? "" : "<p>other</p>");
    others.push(
      await listen("127.0.32.2", onward),
      await listen("127.0.32.1", (path) => (path === "/robots.txt" ? { to: `${host!()}/robots.txt` } : "<p>other port</p>")),
      await listen("127.0.32.1", () => "<p>other scheme</p>", certificates),
    );
    const seed: Listener = await listen("127.0.32.1", (path) => {
      const [, way, n] = /^\/(hop|again|sitemap-)(\d)/.exec(path) ?? [];
      if (path === "/robots.txt")
        return [`Sitemap: ${seed.origin}/sitemap.xml`, `Sitemap: ${seed.origin}/sitemap-1.xml`, `Sitemap: ${host!()}/sitemap.xml`].join(
          "\n",
        );
      if (path === "/sitemap.xml")
        return `<urlset>${others.map(({ origin }) => `<url><loc>${origin}/from-sitemap</loc></url>`).join("")}</urlset>`;
      if (way === "again") return { to: `/hop${n}?again` };
      if (way !== undefined) return { to: `${others[Number(n)]!.origin}/${way === "hop" ? "redirected" : "sitemap.xml"}` };
      if (path === "/out") return { to: `${host!()}/on` };
      const ways = others.flatMap(({ origin }, n) => [`${origin}/linked`, `/hop${n}`, `/again${n}`]);
      return path === "/" ? [...ways, "/out", "/inside"].map(link).join("") : "<p>inside</p>";
    });
    return { seed, others, ca: certificates.ca };
  }

  test("goes with every request to the seed's own origin, robots.txt and sitemaps too, and to no other by any way", async () => {
    const folder = folderForTest();
    const { seed, others, ca } = await web(folder);
    const cookies = cookieFile(folder, "127.0.32.1", "127.0.32.2");
    const args = [...given, "--cookies", cookies, "--ca", ca, "--scope", "any", "--allow-private", "127.0.32.0/24", ...fast];
    const { code, stderr } = await nuthatch(["crawl", `${seed.origin}/`, ...args], { cwd: folder.path });
    expect(code, stderr).toBe(0);
    for (const path of ["/robots.txt", "/sitemap.xml", "/", "/hop0", "/again1", "/inside"]) {
      const request = seed.asked.find((one) => one.path === path);
      for (const text of ["X-Key\ncanary-header", `Authorization\nBasic ${SECRETS[2]}`, "cookie\nsession=canary-cookie"])
        expect(request?.said, path).toContain(text);
    }
    // Not for want of trying: every other origin was asked, by link, by redirect and by sitemap.
    for (const { asked, origin } of others)
      expect(
        asked.map(({ path }) => path),
        origin,
      ).toEqual(expect.arrayContaining(["/robots.txt", "/linked", "/redirected", "/from-sitemap"]));
    expect(others[1]!.asked.map(({ path }) => path)).toEqual(expect.arrayContaining(["/two-hops", "/sitemap.xml"]));
    for (const secret of SECRETS) expect(said(others)).not.toContain(secret);
    expect(said(others)).not.toMatch(/cookie|authorization|x-key/i);
    // What a server sets is never sent back.
    expect(said([seed])).not.toContain("tracker");
  });

  test("stays behind where https leads to http, and where robots.txt leads elsewhere", async () => {
    const folder = folderForTest();
    const certificates = makeCertificates(folder.path, ["IP:127.0.32.3"]);
    const plain = await listen("127.0.32.3", (path) => (path === "/robots.txt" ? "" : "<p>in the clear</p>"));
    const seed = await listen(
      "127.0.32.3",
      (path) =>
        path === "/robots.txt" || path === "/down"
          ? { to: `${plain.origin}${path}` }
          : [`${plain.origin}/linked`, "/down"].map(link).join(""),
      certificates,
    );
    const cookies = cookieFile(folder, "127.0.32.3");
    const args = [...given, "--cookies", cookies, "--ca", certificates.ca, "--scope", "any", "--allow-private", "127.0.32.3", ...fast];
    const { code, stderr } = await nuthatch(["crawl", `${seed.origin}/`, ...args], { cwd: folder.path });
    expect(code, stderr).toBe(0);
    for (const secret of SECRETS.filter((text) => text !== "canary-auth")) expect(said([seed])).toContain(secret);
    expect(plain.asked.map(({ path }) => path)).toEqual(expect.arrayContaining(["/robots.txt", "/linked", "/down"]));
    expect(said([plain])).not.toMatch(/cookie|authorization|x-key|canary/i);
  });

  test("goes to an origin that is named, and not to the seed", async () => {
    const folder = folderForTest();
    const other = await listen("127.0.32.5", () => "<p>other</p>");
    const seed = await listen("127.0.32.4", (path) => (path === "/" ? link(`${other.origin}/linked`) : undefined));
    const args = ["--header", `${other.origin} X-Key: canary-header, and more`, "--scope", "any", "--allow-private", "127.0.32.5", ...fast];
    expect((await nuthatch(["crawl", `${seed.origin}/`, ...args], { cwd: folder.path })).code).toBe(0);
    expect(said([other])).toContain("X-Key\ncanary-header, and more");
    expect(said([seed])).not.toContain("canary");
  });

  test("opens robots.txt behind a login, whose rules then hold, whatever an earlier run was told without it", async () => {
    const folder = folderForTest();
    const seed = await serveSite(
      ({ path, headers }) => {
        if (headers.authorization === undefined) return { status: 401, body: "who are you?" };
        if (path === "/robots.txt") return { body: "User-agent: *\nDisallow: /private", headers: { "content-type": "text/plain" } };
        return path === "/" ? link("/private") + link("/open") : "<p>page</p>";
      },
      { address: "127.0.32.6" },
    );
    closers.push(seed.close);
    const args = ["crawl", `${seed.origin}/`, "--new", ...fast];
    expect((await nuthatch(args, { cwd: folder.path })).code).toBe(4);
    expect((await nuthatch([...args, "--auth", "robin:canary-auth"], { cwd: folder.path })).code).toBe(0);
    const asked = seed.log.filter(({ headers }) => headers.authorization !== undefined).map(({ path }) => path);
    expect(asked).toEqual(["/robots.txt", "/", "/open"]);
    const robots = await nuthatch(["robots", `${seed.origin}/private`, "--auth", "robin:canary-auth", "--json"], { cwd: folder.path });
    expect(JSON.parse(robots.stdout)).toMatchObject({ allowed: false, rule: expect.stringContaining("/private") });
  });
});

test("--ca trusts more authorities, and takes the word of none away", async () => {
  const [one, other] = [folderForTest(), folderForTest()];
  const certificates = makeCertificates(one.path, ["IP:127.0.32.10"]);
  const { ca } = makeCertificates(other.path, ["IP:127.0.32.10"]);
  const site = await listen("127.0.32.10", () => "<p>secure</p>", certificates);
  const crawl = (flags: string[], env: Record<string, string>) =>
    nuthatch(["crawl", `${site.origin}/`, "--new", ...fast, ...flags], { cwd: one.path, env: { NODE_EXTRA_CA_CERTS: "", ...env } });
  const untrusted = await crawl([], {});
  expect([untrusted.code, untrusted.stderr]).toEqual([3, expect.stringContaining("no secure connection")]);
  expect((await crawl(["--ca", ca], {})).code).toBe(3);
  expect((await crawl(["--ca", certificates.ca], {})).code).toBe(0);
  expect((await crawl(["--ca", ca], { NODE_EXTRA_CA_CERTS: certificates.ca })).code).toBe(0);
});

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
    const args = ["crawl", `${site.origin}/`, ...secrets, "--rate-limit", "none", "--events", ...talk];
    const first = start(args, { cwd: folder.path });
    while (site.log.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    first.kill("SIGKILL");
    const printed = [await first.ended];
    expect(printed[0]!.signal).toBe("SIGKILL");

    const before = site.log.length;
    const forgotten = await nuthatch(["resume", ...talk], { cwd: folder.path });
    expect(forgotten.code).toBe(2);
    expect(forgotten.stderr).toMatch(/the value of the header X-Key is missing\n {2}try: .*give it again/);
    const half = await nuthatch(["resume", ...talk, "--header", "X-Key: canary-header"], { cwd: folder.path });
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
    const crawl = (...more: string[]) => nuthatch(["crawl", `${site.origin}/`, "--rate-limit", "none", ...more], { cwd: folder.path, env });
    expect((await crawl("--max-pages", "10")).code).toBe(0);
    const resumed = await nuthatch(["resume", "--max-pages", "none"], { cwd: folder.path, env });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(site.log.length).toBeGreaterThan(60);
    expect(site.log.every(({ headers }) => headers["x-key"] === "canary-header, too")).toBe(true);
    const stopped = start(["crawl", `${site.origin}/`, "--rate-limit", "20/s"], { cwd: folder.path, env });
    const before = site.log.length;
    while (site.log.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 5));
    stopped.kill("SIGKILL");
    await stopped.ended;
    const other = await nuthatch(["crawl", `${site.origin}/`, "--rate-limit", "20/s", "--max-pages", "1"], { cwd: folder.path });
    expect(other.stderr).toContain("run 2 is unfinished, but was started with another header; starting a new run");
  });
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
  const lost = await nuthatch(crawl, { cwd: elsewhere.path, env: { CITY_TOKEN: "canary-header" } });
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringMatching(/CITY_PASSWORD is not set/)]);
  expect(site.asked).toEqual([]);
  expect((await nuthatch(crawl, { cwd: elsewhere.path, env })).code).toBe(0);
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
    const { code, stdout, stderr } = await nuthatch(["crawl", "http://127.0.32.9:9/", ...flags], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(existsSync(folder.file("nuthatch.db"))).toBe(false);
    if (!message.source.includes("canary")) expect(stderr).not.toContain("canary");
  });

  test("a SOCKS proxy of the environment is named by its variable, and a flag of ours beats it", async () => {
    const folder = folderForTest();
    const refused = await nuthatch(["crawl", "http://127.0.32.9:9/"], { cwd: folder.path, env: { all_proxy: "socks5h://canary:1080" } });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^nuthatch: all_proxy: SOCKS proxies cannot be used/);
    const beaten = await nuthatch(["crawl", "http://127.0.32.9:9/", "--proxy", "http://127.0.32.9:9", "--retries", "0"], {
      cwd: folder.path,
      env: { all_proxy: "socks5h://canary:1080" },
    });
    expect(beaten.code).toBe(3);
    expect(beaten.stderr).toContain("the proxy 127.0.32.9:9 cannot be reached");
  });
});
