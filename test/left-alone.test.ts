import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { crawl } from "./near-library.ts";

const fast = { rateLimit: "none", perHost: 4, maxConcurrent: 4 } as const;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A site of these pages, and what was asked of it. */
async function serve(pages: Record<string, { type?: string; body: string }>, address: string) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const page = pages[url];
    response.writeHead(page ? 200 : 404, { "content-type": page?.type ?? "text/html" }).end(page?.body ?? "nothing");
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  closers.push(() => server.close());
  const pagesAsked = () => asked.splice(0).filter((url) => url !== "/robots.txt" && url !== "/sitemap.xml");
  return { origin: `http://${address}:${(server.address() as AddressInfo).port}`, asked: pagesAsked };
}

const linking = (...urls: string[]) => ({
  body: `<!doctype html><p>Here we are.</p>${urls.map((url) => `<a href="${url}">${url}</a>`).join(" ")}`,
});

describe("links that sign out or delete", () => {
  const actions = ["/logout", "/wp-login.php?action=logout", "/session/destroy", "/post/12/delete"];
  const site = () => serve({ "/": linking("/about", ...actions), "/about": linking("/"), "/logout": linking("/") }, "127.0.2.44");

  test.each([
    ["a cookie", ["--header", "Cookie: session=a1b2"]],
    ["a user and a password", ["--auth", "robin:secret"]],
  ])("are left alone with %s, and explained", async (_, given) => {
    using folder = tempFolder();
    const { origin, asked } = await site();
    const how = { cwd: folder.path };
    const told = await nuthatchHere(["crawl", `${origin}/`, "--rate-limit", "none", ...given], how);
    expect(told.code).toBe(0);
    expect(asked().sort()).toEqual(["/", "/about"]);
    const explained = await nuthatchHere(["explain", `${origin}/logout`, "--json"], how);
    expect(JSON.parse(explained.stdout)).toMatchObject({ verdict: "skipped", reason: "account-action", rule: "logout in its address" });
  });

  test("are asked for without credentials, if an --include names them, and as seeds", async () => {
    using folder = tempFolder();
    const { origin, asked } = await site();
    const run = (...args: string[]) => nuthatchHere(["crawl", ...args, "--rate-limit", "none", "--new"], { cwd: folder.path });
    await run(`${origin}/`, "--header", "Accept-Language: de");
    expect(asked().sort()).toEqual(["/", "/about", ...actions].sort());
    await run(`${origin}/`, "--auth", "robin:secret", "--include", "/about", "--include", "/logout");
    expect(asked().sort()).toEqual(["/", "/about", "/logout"]);
    await run(`${origin}/logout`, "--auth", "robin:secret", "--scope", "page");
    expect(asked()).toEqual(["/logout"]);
  });
});

describe("URLs of a type that is not read", () => {
  const pdf = { type: "application/pdf", body: "%PDF-1.7 and so on" };

  test("are asked for once, and again where everything is, or where the type is wanted", async () => {
    using folder = tempFolder();
    const { origin, asked } = await serve(
      { "/": linking("/plan.pdf", "/minutes?id=1"), "/plan.pdf": pdf, "/minutes?id=1": pdf },
      "127.0.2.45",
    );
    const run = async (options = {}) => {
      await using control = crawl(`${origin}/`, { ...fast, db: folder.file("site.db"), ...options });
      const { stats } = await control.result;
      return { asked: asked().sort(), type: stats.skipped.type };
    };
    const all = ["/", "/minutes?id=1", "/plan.pdf"];
    expect(await run()).toEqual({ asked: all, type: 2 });
    for (let again = 0; again < 6; again++) expect(await run()).toEqual({ asked: ["/"], type: 2 });
    expect(await run({ full: true })).toEqual({ asked: all, type: 2 });
    expect((await run({ types: ["application/pdf"] })).asked).toEqual(all);
  });
});

test("the sort links of a directory listing are the listing, and an explanation says so", async () => {
  using folder = tempFolder();
  const sorted = ["?C=N;O=D", "?C=M;O=A", "?C=S;O=A", "?C=D;O=A", "?C=N&amp;O=A", "?C=N&amp;O=D"];
  const { origin, asked } = await serve(
    { "/": linking("d/?C=M;O=D", "about/"), "/d/": linking(...sorted, "/"), "/about/": linking("/") },
    "127.0.2.46",
  );
  expect((await nuthatchHere(["crawl", `${origin}/`, "--rate-limit", "none", "-q"], { cwd: folder.path })).code).toBe(0);
  expect(asked().sort()).toEqual(["/", "/about/", "/d/"]);
  const told = await nuthatchHere(["explain", `${origin}/d/?C=S;O=A`], { cwd: folder.path });
  expect(told.stdout).toContain(`It only sorts a directory listing, so it was taken for the listing itself. That is ${origin}/d/. Visited`);
});
