import type { CrawlEvent, CrawlInput, RunResult } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codings, framing, redirects, types } from "./hostile/bad-bytes.ts";
import { charsets, documents, NEVER } from "./hostile/documents.ts";
import { chunkedBodies, headerLines, labels, moves } from "./hostile/odd-http.ts";
import { type Answer, page, type RawWeb, serveRaw } from "./hostile/raw-web.ts";
import { crawl } from "./near-library.ts";

interface Seen {
  readonly result: RunResult;
  readonly fates: Map<string, string>;
  readonly titles: Map<string, string | undefined>;
  readonly links: Map<string, number>;
}

/** One crawl over all hosts of a web, each named by the first; what became of every URL is what the ledger says. */
async function crawlAll(web: RawWeb, hosts: number, more: CrawlInput = {}): Promise<Seen> {
  const seen: Omit<Seen, "result"> = { fates: new Map(), titles: new Map(), links: new Map() };
  const urls = new Set<string>();
  const onEvent = (event: CrawlEvent) => {
    if (event.type === "url.settled") urls.add(event.url);
  };
  await using run = crawl(
    Array.from({ length: hosts }, (_, host) => web.at(host)),
    { rateLimit: "none", maxConcurrent: 8, timeout: "4s", retries: 0, maxDepth: 2, exclude: [`**${NEVER}/**`], ...more, onEvent },
  );
  for await (const { url, metadata, linkCount } of run) {
    seen.titles.set(url, metadata.title?.value);
    seen.links.set(url, linkCount);
  }
  const result = await run.result;
  for (const url of urls) {
    const { verdict, reason } = await run.explain(url);
    seen.fates.set(url, `${verdict} ${reason}`);
  }
  return { result, ...seen };
}

/** Opens a web of the cases, crawls it once, and hands out what was seen. */
function crawled(answers: readonly Answer[]): () => { web: RawWeb; seen: Seen } {
  let state: { web: RawWeb; seen: Seen } | undefined;
  beforeAll(async () => {
    const web = await serveRaw(answers);
    state = { web, seen: await crawlAll(web, answers.length) };
  });
  afterAll(() => state?.web.close());
  return () => state!;
}

describe.each([
  ["codings", codings],
  ["framing", framing],
  ["redirects", redirects],
  ["types", types],
  ["header lines", headerLines],
  ["chunked bodies", chunkedBodies],
  ["further redirects", moves],
  ["labels of codings", labels],
])("every fate has a name: %s", (_, cases) => {
  const state = crawled(cases.map(([, answer]) => answer));
  test.each(cases.map(([name, , expected], host) => [name, expected, host] as const))("%s: %s", (_name, expected, host) => {
    const { web, seen } = state();
    expect(seen.fates.get(web.at(host))).toBe(expected);
  });
  test("the crawl ended by itself", () => {
    const hasPages = state().seen.titles.size > 0;
    const waits = cases.some(([, , expected]) => expected.startsWith("deferred"));
    expect(state().seen.result.stopReason).toBe(waits ? "deferred" : hasPages ? "finished" : "no-pages");
  });
});

test("redirects end, whatever they lead to, and open nothing", async () => {
  const asked = new Map<number, number>();
  const counted = moves.map(
    ([, answer], host): Answer =>
      (socket, path) => {
        asked.set(host, (asked.get(host) ?? 0) + 1);
        answer(socket, path);
      },
  );
  const web = await serveRaw(counted);
  const { fates } = await crawlAll(web, moves.length, { scope: "any" });
  await web.close();
  expect([...asked].filter(([, times]) => times > 40)).toEqual([]);
  const isClosed = ([url]: [string, string]) => /^https?:\/\/(?:10\.|169\.|127\.0\.0\.)/.test(url);
  expect([...fates].filter(isClosed).length).toBeGreaterThan(3);
  for (const [url, fate] of [...fates].filter(isClosed)) expect(fate, url).toBe("skipped private-network");
  expect([...fates.keys()].filter((url) => /secret|javascript|^data:|^file:/i.test(url))).toEqual([]);
}, 120_000);

describe("documents that are meant to hurt are read all the same", () => {
  const state = crawled(documents.map(([, answer]) => answer));
  test.each(documents.map(([name, , title, links], host) => [name, title, links, host] as const))("%s", (_, title, links, host) => {
    const { web, seen } = state();
    expect(seen.fates.get(web.at(host))).toBe("fetched ok");
    if (title !== undefined) expect(seen.titles.get(web.at(host))).toBe(title);
    expect(seen.links.get(web.at(host))).toBe(links);
  });
});

describe("every charset of the web", () => {
  const state = crawled(charsets.map(([, answer]) => answer));
  test.each(charsets.map(([name, , title], host) => [name, title, host] as const))("%s", (_, title, host) => {
    const { web, seen } = state();
    expect(seen.titles.get(web.at(host))).toBe(title);
  });
});

describe("hostile sitemaps and robots.txt", () => {
  const secret = `<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY net SYSTEM "http://127.0.6.9:1/x">]>`;
  const sitemaps: readonly (readonly [name: string, body: string])[] = [
    ["external entities", `${secret}<urlset><url><loc>HOME&file;&net;</loc></url><url><loc>HOMElisted</loc></url></urlset>`],
    [
      "a bomb of entities",
      `<!DOCTYPE x [<!ENTITY a "${"x".repeat(1000)}">${'<!ENTITY b "&a;&a;">'.repeat(10)}]><urlset><url><loc>HOME&b;</loc></url><url><loc>HOMElisted</loc></url></urlset>`,
    ],
    ["100,000 elements within each other", `<urlset>${"<url>".repeat(100_000)}<loc>HOMElisted</loc>`],
    [
      "an index that names itself",
      "<sitemapindex><sitemap><loc>HOMEsitemap.xml</loc></sitemap><sitemap><loc>HOMEsitemap.xml?again</loc></sitemap></sitemapindex>",
    ],
  ];

  test("no entity is expanded, nothing is read that was not named, and the crawl ends", async () => {
    let web: RawWeb | undefined;
    const answers = sitemaps.map(
      ([, body], host): Answer =>
        (socket, path) => {
          const home = web!.at(host);
          const answer = path.startsWith("/sitemap.xml")
            ? page(body.replaceAll("HOME", home), { "content-type": "application/xml" })
            : page(`<p>${path}</p>`);
          answer(socket, path);
        },
    );
    web = await serveRaw(answers, (host) => `Sitemap: ${web!.at(host, "/sitemap.xml")}\n`);
    const { result, fates } = await crawlAll(web, sitemaps.length);
    const heard = [...fates.keys()];
    await web.close();
    expect(result.stopReason).toBe("finished");
    for (const host of [0, 1]) expect(fates.get(web.at(host, "/listed"))).toBe("fetched ok");
    expect(heard.filter((url) => /root|bin|xxx|127\.0\.6\.9/.test(url))).toEqual([]);
  });

  test.each([
    ["a robots.txt of nonsense", "\0\xff<html>\r".repeat(20_000), "fetched ok"],
    [
      "one longer than may be read, closed at its beginning",
      `User-agent: *\nDisallow: /\n${"# \n".repeat(400_000)}`,
      "skipped robots.disallow",
    ],
    ["one of hostile patterns", `User-agent: *\n${`Disallow: /${"*a".repeat(60)}b\n`.repeat(4_000)}`, "fetched ok"],
  ])("%s", async (_, robots, expected) => {
    const web = await serveRaw([page("<p>home</p>")], () => robots);
    const { fates } = await crawlAll(web, 1);
    await web.close();
    expect(fates.get(web.at(0))).toBe(expected);
  });
});
