import { describe, expect, test } from "vitest";
import { makeCertificates } from "./certificates.ts";
import { nuthatch } from "./cli.ts";
import { closers, cookieFile, fast, folderForTest, given, type Listener, link, listen, SECRETS, said } from "./listener.ts";
import { serveSite } from "./site/index.ts";

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
  expect([untrusted.code, untrusted.stderr]).toEqual([3, expect.stringMatching(/comes from an authority .* not trusted here.* --ca FILE/)]);
  expect((await crawl(["--ca", ca], {})).code).toBe(3);
  expect((await crawl(["--ca", certificates.ca], {})).code).toBe(0);
  expect((await crawl(["--ca", ca], { NODE_EXTRA_CA_CERTS: certificates.ca })).code).toBe(0);
});
