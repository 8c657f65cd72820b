import { DatabaseSync } from "@photostructure/sqlite";
import { search } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
let site: RunningSite;
const sentence = (about: string) => `<p>${`The council met on Tuesday to speak about ${about}, as it does every month. `.repeat(5)}</p>`;
const page = (title: string, body: string, lang = "en") =>
  `<!doctype html><html lang="${lang}"><title>${title}</title><nav><a href="/">Home</a> <a href="/imprint">Imprint</a></nav><main><h1>${title}</h1>${body}</main>`;
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">more</a>`).join(" ");

beforeAll(async () => {
  site = await serveSite(
    {
      "/": page("Town", `<p>Welcome to the town.</p>${links("/budget", "/bridge", "/copy", "/tokyo", "/closed", "/notes.txt", "/rude")}`),
      "/budget": (hit) => page("Budget hearing", sentence("the budget") + sentence(hit < 2 ? "the accounts" : "the surplus")),
      "/bridge": page("Old bridge", `${sentence("roads")}<p>No money is in the budget for it, says Mrs O’Brien of the Café.</p>`),
      "/copy": page("Budget hearing", sentence("the budget") + sentence("the accounts")),
      "/tokyo": page("東京都の予算", "<p>東京都の予算案が発表されました。教育と福祉に重点を置いています。</p>".repeat(5), "ja"),
      "/closed": `<meta name="robots" content="noindex">${page("Closed", sentence("the secret budget"))}`,
      "/notes.txt": { headers: { "content-type": "text/plain" }, body: "Notes about the budget of the library." },
      "/rude": page("Rude \u009b2J", `<p>${"A rude word \u001b[2J about the \u202ebudget \u009b31m. ".repeat(8)}</p>`),
    },
    { address: "127.0.74.1" },
  );
  const { code } = await nuthatchHere(["crawl", site.origin, "--rate-limit", "none", "-q"], { cwd: folder.path });
  expect(code).toBe(0);
});
afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});

const run = (...args: string[]) => nuthatchHere(["search", ...args], { cwd: folder.path });
const paths = async (...args: string[]) => {
  const { results } = JSON.parse((await run("--json", ...args)).stdout) as { results: { url: string }[] };
  return results.map(({ url }) => new URL(url).pathname);
};

describe("what a crawl has stored is found", () => {
  test.each([
    ["by its words, without copies and what asks not to be indexed", ["budget"], ["/budget", "/rude", "/notes.txt", "/bridge"]],
    ["and with them", ["budget", "--all"], ["/budget", "/rude", "/notes.txt", "/bridge", "/copy", "/closed"]],
    ["by several arguments", ["cafe", "o'brien"], ["/bridge"]],
    ["by a phrase, without some words", ['"old bridge" -surplus'], ["/bridge"]],
    ["in Japanese", ["予算案"], ["/tokyo"]],
    ["of one language", ["の", "--lang", "ja"], ["/tokyo"]],
    ["of a site", ["の", "--site", "127.0.74.1"], ["/tokyo"]],
    ["of a time", ["budget", "--since", "1h", "--until", "2000-01-01"], []],
    ["not by what stands in the navigation", ["imprint"], []],
    ["and by nothing else", ["zebra"], []],
  ])("%s", async (_, args, expected) => {
    expect((await paths(...args)).toSorted()).toEqual(expected.toSorted());
  });

  test("a list for people marks what was found, and obeys nothing that pages say", async () => {
    const { code, stdout, stderr } = await run("café");
    const today = new Date().toISOString().slice(0, 10);
    const says = "No money is in the budget for it, says Mrs O’Brien of the **Café**.";
    expect([code, stdout, stderr]).toEqual([0, `Old bridge\n  ${site.origin}/bridge  ${today}\n  ${says}\n`, "1 page\n"]);
    const rude = await run("rude", "--color", "always");
    expect(rude.stdout).toContain("\x1b[33mrude\x1b[0m");
    expect(rude.stdout.replaceAll(/\x1b\[(0|1|2|33)m/g, "")).toMatch(/^[^\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]*$/);
  });

  test("the document says where in a snippet the words stand, and how many pages there are", async () => {
    const { stdout } = await run("budget", "--limit", "1", "--json");
    const { total, results } = JSON.parse(stdout) as { total: number; results: Record<string, unknown>[] };
    expect([total, results.length]).toEqual([4, 1]);
    const { text, matches } = results[0]!.snippet as { text: string; matches: [number, number][] };
    expect(new Set(matches.map(([from, to]) => text.slice(from, to).toLowerCase()))).toEqual(new Set(["budget"]));
    expect(Object.keys(results[0]!)).toEqual(["id", "url", "title", "score", "snippet", "firstSeenAt", "lang", "site"]);
    expect((await run("budget", "--fields", "url", "--limit", "1")).stdout).toMatch(/^url\nhttp\S+\n$/);
    expect((await run("budget", "--limit", "1")).stderr).toMatch(
      /^1 of 4 pages; --limit shows more; left out: \d \(copies, .*\): --all takes them too\n$/,
    );
  });

  test.each([
    ["nothing but signs", ["++"], "there is no word to look for"],
    ["only what is unwanted", ["--", "-budget"], "there is nothing to look for, only something to leave out"],
    ["a whole book", ["word ".repeat(300)], "that is too much to look for at once"],
    ["no moment", ["budget", "--since", "soonish"], "--since: soonish is no moment"],
    ["another order", ["budget", "--sort", "dat"], "cannot sort by dat"],
    ["a site that is not there", ["budget", "--site", "nowhere"], "no site matches nowhere"],
  ])("%s is refused in plain words", async (_, args, trouble) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout, stderr.split("\n")[0]]).toEqual([2, "", `nuthatch: ${trouble}`]);
  });

  test("the library finds the same", async () => {
    const { total, results } = await search('"old bridge"', { db: folder.file("nuthatch.db"), since: new Date(0) });
    expect([total, results[0]?.title]).toEqual([1, "Old bridge"]);
    await expect(search("x", { db: folder.file("none.db") })).rejects.toThrow("there is no data file");
  });

  test("pages that came without metadata, or whose words were lost, are made ready when somebody looks", async () => {
    const db = new DatabaseSync(folder.file("nuthatch.db"));
    db.exec("DELETE FROM page_search");
    db.close();
    const { stdout, stderr } = await run("'東京都'", "--fields", "title");
    expect([stdout, stderr]).toEqual(["title\n東京都の予算\n", "made ready to be found: 8 of 8 stored pages\n1 page\n"]);
  });

  test("a page that changed is found by what it says now, and only by that", async () => {
    expect([await paths("accounts"), await paths("surplus")]).toEqual([["/budget"], []]);
    await nuthatchHere(["crawl", site.origin, "--rate-limit", "none", "--no-enhance", "-q"], { cwd: folder.path });
    expect([await paths("accounts"), await paths("surplus")]).toEqual([["/copy"], ["/budget"]]);
  });
});
