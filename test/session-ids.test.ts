import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { crawl } from "./near-library.ts";

const fast = { rateLimit: "none", perHost: 4, maxConcurrent: 4 } as const;

/** Drawn anew at each call, and the same in each run of the test. */
function drawer(length: number, alphabet = "0123456789abcdef"): () => string {
  let drawn = 0;
  return () => {
    drawn += 1;
    const digest = createHash("sha512").update(`${length} ${drawn}`).digest();
    return Array.from({ length }, (_, at) => alphabet[digest[at % 64]! % alphabet.length]).join("");
  };
}

type Pages = Readonly<Record<string, { readonly text: string; readonly links: readonly string[] }>>;

const words = (name: string) =>
  `${name} is about ${name.replace(/\W+/g, " ")}, and nothing else but ${name.split("").join(" ")}. `.repeat(8);

/** A forum: sections, topics in them, and a menu on every page. */
function forum(): Pages {
  const menu = ["/", "/faq.php", "/search.php", "/members.php", "/register.php", "/forum.php?f=1", "/forum.php?f=2"];
  const topics = (section: number) => [1, 2, 3, 4].map((number) => `/topic.php?f=${section}&t=${section}${number}`);
  const names = [...menu, ...topics(1), ...topics(2)];
  const linksOf = (path: string) => (path.startsWith("/forum.php") ? topics(Number(path.at(-1))) : []);
  return Object.fromEntries(names.map((path) => [path, { text: words(path), links: [...menu, ...linksOf(path)] }]));
}

interface Asked {
  /** As it was asked for. */
  readonly url: string;
  /** Without the session. */
  readonly path: string;
}

interface Style {
  /** Writes a session into a link. */
  readonly write: (path: string, id: string, draw: () => string) => string;
  /** Takes it out of what was asked for. */
  readonly read: (url: string) => { readonly path: string; readonly id?: string | undefined };
  readonly draw: () => string;
  /** Whether a session that comes with a request goes on. */
  readonly goesOn?: boolean;
  /** Whether whoever comes without one is sent on to an address with one. */
  readonly sendsOn?: boolean;
}

function parameter(name: string): Pick<Style, "write" | "read"> {
  return {
    write: (path, id) => `${path}${path.includes("?") ? "&" : "?"}${name}=${id}`,
    read(url) {
      const { pathname, searchParams } = new URL(url, "http://x");
      const id = searchParams.get(name) ?? undefined;
      searchParams.delete(name);
      const query = searchParams.toString();
      return { path: query === "" ? pathname : `${pathname}?${query}`, id };
    },
  };
}

async function serve(pages: Pages, style: Style, address: string) {
  const asked: Asked[] = [];
  const server = createServer(({ url = "" }, response) => {
    const { path, id } = style.read(url);
    if (path !== "/robots.txt" && path !== "/sitemap.xml") asked.push({ url, path });
    const page = pages[path];
    const session = style.goesOn === true && id !== undefined ? id : style.draw();
    if (page && id === undefined && style.sendsOn === true) {
      response.writeHead(302, { location: style.write(path, session, style.draw) }).end();
      return;
    }
    const links = page?.links.map((link) => `<li><a href="${style.write(link, session, style.draw).replace("&", "&amp;")}">${link}</a>`);
    const body = `<!doctype html><title>${path}</title><ul>${links?.join("\n")}</ul><main><h1>${path}</h1><p>${page?.text}</p></main>`;
    response.writeHead(page ? 200 : 404, { "content-type": "text/html" }).end(page ? body : "nothing");
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const origin = `http://${address}:${(server.address() as AddressInfo).port}`;
  return { origin, asked, close: () => new Promise((resolve) => server.close(resolve)) };
}

interface Told {
  readonly url: string;
  readonly diff: unknown;
}

const none = { new: 0, changed: 0, same: 0, gone: 0, unlinked: 0, unknown: 0 };

const styles: readonly [string, Style][] = [
  ["of a name nobody knows, another at every look", { ...parameter("zq"), draw: drawer(16) }],
  ["of a name nobody knows, in few letters", { ...parameter("k"), draw: drawer(10, "abcdefghkmnpqrstuvwxyz23456789") }],
  ["of a name nobody knows, that go on where they are sent back", { ...parameter("zq"), draw: drawer(24), goesOn: true }],
  ["of a name nobody knows, to which everybody is sent on", { ...parameter("zq"), draw: drawer(24), goesOn: true, sendsOn: true }],
  ["of a forum, that go on", { ...parameter("sid"), draw: drawer(32), goesOn: true }],
  ["of a forum, another at every look", { ...parameter("sid"), draw: drawer(32) }],
  ["in one letter", { ...parameter("s"), draw: drawer(32) }],
  ["of PHP", { ...parameter("PHPSESSID"), draw: drawer(26, "abcdefghijklmnopqrstuv0123456789"), goesOn: true }],
  ["of a shop", { ...parameter("osCsid"), draw: drawer(32) }],
  [
    "another in every link",
    {
      ...parameter("r"),
      draw: drawer(12, "abcdefghkmnpqrstuvwxyz23456789"),
      write: (path, _, draw) => parameter("r").write(path, draw(), draw),
    },
  ],
  [
    "of Java",
    {
      write: (path, id) => path.replace(/(\?|$)/, `;jsessionid=${id}$1`),
      read: (url) => ({ path: url.replace(/;jsessionid=\w+/, ""), id: /;jsessionid=(\w+)/.exec(url)?.[1] }),
      draw: drawer(32, "0123456789ABCDEF"),
    },
  ],
  [
    "of ASP.NET",
    {
      write: (path, id) => `/(S(${id}))${path}`,
      read: (url) => ({ path: url.replace(/^\/\(S\(\w+\)\)/, ""), id: /^\/\(S\((\w+)\)\)/.exec(url)?.[1] }),
      draw: drawer(24, "abcdefghijklmnopqrstuvwxyz012345"),
      sendsOn: true,
    },
  ],
];

test.each(styles)("session ids %s: three runs ask for every page once, and nothing is news but what is", async (_, style) => {
  const pages: Record<string, Pages[string]> = { ...forum() };
  const count = Object.keys(pages).length;
  using folder = tempFolder();
  const site = await serve(pages, style, "127.0.2.40");
  const run = async () => {
    site.asked.length = 0;
    await using control = crawl(`${site.origin}/`, { ...fast, db: folder.file("site.db") });
    const { stats } = await control.result;
    const answered = site.asked.filter(({ url }) => style.sendsOn !== true || style.read(url).id !== undefined);
    return { ...stats.changes, asked: answered.map(({ path }) => path).sort() };
  };
  const once = Object.keys(pages).sort();
  expect(await run()).toEqual({ ...none, new: count, asked: once });
  const second = await run();
  expect({ ...second, asked: [...new Set(second.asked)] }).toEqual({ ...none, same: count, asked: once });
  expect(await run()).toEqual({ ...none, same: count, asked: once });

  pages["/faq.php"] = { ...pages["/faq.php"]!, text: `${words("/faq.php")} And there is a new question.` };
  pages["/forum.php?f=1"] = { ...pages["/forum.php?f=1"]!, links: [...pages["/forum.php?f=1"]!.links, "/topic.php?f=1&t=19"] };
  pages["/topic.php?f=1&t=19"] = { text: words("a new topic"), links: pages["/"]!.links };
  const fourth = await run();
  expect({ ...fourth, asked: [] }).toEqual({ ...none, new: 1, changed: 2, same: count - 2, asked: [] });
  // What is told of them is what was edited, and nothing of ids.
  const told = JSON.parse((await nuthatchHere(["changes", "--json", "--db", folder.file("site.db")])).stdout);
  const edits = Object.fromEntries(
    told.pages.map(({ url, diff }: Told) => [style.read(new URL(url).href.slice(site.origin.length)).path, diff]),
  );
  expect(edits["/faq.php"]).toMatchObject({ linksAdded: [], linksRemoved: [] });
  expect(edits["/forum.php?f=1"]).toMatchObject({ linksAdded: [{ text: "/topic.php?f=1&t=19" }], linksRemoved: [] });
  await site.close();
});

test("ids in a few links of each page are told by the pages that say the same", async () => {
  const token = drawer(16);
  const names = Array.from({ length: 12 }, (_, at) => `/page-${at}`);
  const tools = ["/print", "/cite", "/share", "/report"];
  const style = parameter("k");
  const menu = [...names, ...tools];
  const pages: Pages = Object.fromEntries(["/", ...menu].map((path) => [path, { text: words(path), links: menu }]));
  using folder = tempFolder();
  const write: Style["write"] = (path) => (tools.includes(path) ? style.write(path, token(), token) : path);
  const site = await serve(pages, { ...style, write, draw: token }, "127.0.2.42");
  const looks: number[] = [];
  for (let run = 1; run <= 3; run++) {
    site.asked.length = 0;
    await using control = crawl(`${site.origin}/`, { ...fast, maxConcurrent: 1, perHost: 1, db: folder.file("site.db"), maxPages: 200 });
    const { stats } = await control.result;
    looks.push(site.asked.length);
    if (run === 3) expect(stats.changes).toMatchObject({ new: 0, changed: 0, gone: 0, unknown: 0 });
  }
  expect(looks[0]).toBeLessThan(60);
  await site.close();
});

test("ids that tell pages apart are left alone, beside those of a shop's session", async () => {
  const draw = drawer(32);
  const ids = Array.from({ length: 12 }, drawer(16));
  const talks = Array.from({ length: 6 }, drawer(24));
  const menu = ["/", "/about", "/terms", "/programme"];
  const pages: Record<string, Pages[string]> = Object.fromEntries(menu.map((path) => [path, { text: words(path), links: menu }]));
  const add = (path: string, from: string) => {
    pages[path] = { text: words(path), links: menu };
    pages[from] = { ...pages[from]!, links: [...pages[from]!.links, path] };
  };
  for (const id of ids) add(`/product?id=${id}`, "/");
  for (const id of talks) add(`/talk?sessionId=${id}`, "/programme");
  for (const id of ids.slice(0, 4)) add(`/product/shirt?variant=${id}`, `/product?id=${ids[0]}`);
  using folder = tempFolder();
  const site = await serve(pages, { ...parameter("osCsid"), draw }, "127.0.2.41");
  for (const change of ["new", "same"]) {
    await using control = crawl(`${site.origin}/`, { ...fast, db: folder.file("site.db") });
    expect((await control.result).stats.changes).toEqual({ ...none, [change]: Object.keys(pages).length });
  }
  await site.close();
});
