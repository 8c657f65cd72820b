import { get, type IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoWeb, generatedSite, mostAtOnce, type PageSpec, serveSite, startDemoWeb } from "./index.ts";

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((answered, failed) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", failed);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        answered({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
      });
    }).on("error", failed);
  });
}

/** Links as a browser with scripts would find them on our pages. */
function linksOf(html: string, url: string): string[] {
  const base = new URL(/<base href="([^"]+)"/.exec(html)?.[1] ?? url, url).href;
  const settings = /drupal-settings-json">(.*?)<\/script>/.exec(html)?.[1] ?? "";
  const hrefs = [
    ...html.replace(/<!--.*?--!?>/gs, "").matchAll(/<(?:a|area|link rel="(?:next|alternate)")\s[^>]*?href=["']?([^"'>\s]+)/gi),
  ];
  const fromJson = [...settings.matchAll(/"url":"([^"]+)"/g)].map((match) => match[1]!.replaceAll("\\/", "/"));
  const raw = [...hrefs.map((match) => match[1]!.replaceAll("&amp;", "&")), ...fromJson];
  return raw.filter((href) => URL.canParse(href, base)).map((href) => new URL(href, base).href.replace(/#.*/, ""));
}

describe("serveSite", () => {
  const changed = new Date("2026-01-02T03:04:05.678Z");
  const pages: Record<string, PageSpec> = {
    "/": "<p>hello</p>",
    "/tagged": { body: "tagged", etag: true },
    "/dated": { body: "dated", lastModified: changed },
    "/moved": { status: 301, headers: { Location: "/" } },
    "/counting": (hit) => `hit ${hit}`,
    "/busy": (hit) => (hit === 1 ? { status: 429, headers: { "Retry-After": "1" } } : "ready"),
    "/list?page=2": "second",
    "/list": "first",
    "/latin": { headers: { "content-type": "text/html; charset=latin1" }, body: Buffer.from([0xe9]) },
  };
  let origin = "";
  let close = async () => {};
  beforeAll(async () => {
    ({ origin, close } = await serveSite(pages));
  });
  afterAll(() => close());

  test.each([
    ["HTML is served as UTF-8 HTML", "/", 200, "<p>hello</p>"],
    ["what is not in the table is a 404", "/missing", 404, /no such page/],
    ["what is on every object is not in the table", "/constructor", 404, /no such page/],
    ["a status and a header can be given", "/moved", 301, ""],
    ["a function hears its first hit", "/counting", 200, "hit 1"],
    ["and its second", "/counting", 200, "hit 2"],
    ["a page may refuse once", "/busy", 429, ""],
    ["and answer then", "/busy", 200, "ready"],
    ["a query of the table is looked up whole", "/list?page=2", 200, "second"],
    ["a query nobody planned is ignored", "/list?utm_source=x", 200, "first"],
  ] as [string, string, number, string | RegExp][])("%s", async (_, path, status, text) => {
    const answer = await ask(origin + path);
    expect(answer.status).toBe(status);
    if (typeof text === "string") expect(answer.text).toBe(text);
    else expect(answer.text).toMatch(text);
  });

  test("headers given replace the usual ones, whatever their case", async () => {
    expect((await ask(`${origin}/`)).headers["content-type"]).toBe("text/html; charset=utf-8");
    const answer = await ask(`${origin}/latin`);
    expect(answer.headers["content-type"]).toBe("text/html; charset=latin1");
    expect([...answer.bytes]).toEqual([0xe9]);
  });

  const since = (date: string) => ({ "If-Modified-Since": date });
  test.each([
    ["no validator, no 304", "/dated", {}, 200],
    ["the date it gave is known", "/dated", since("Fri, 02 Jan 2026 03:04:05 GMT"), 304],
    ["an earlier date is not", "/dated", since("Fri, 02 Jan 2026 03:04:04 GMT"), 200],
    ["a date that is none is not", "/dated", since("yesterday"), 200],
    ["a foreign tag is not known", "/tagged", { "If-None-Match": '"other"' }, 200],
    ["any tag is known", "/tagged", { "If-None-Match": "*" }, 304],
    ["a tag goes before a date", "/dated", { "If-None-Match": '"other"', ...since("Fri, 02 Jan 2026 03:04:05 GMT") }, 200],
  ] as [string, string, Record<string, string>, number][])("%s", async (_, path, headers, status) => {
    expect((await ask(origin + path, headers)).status).toBe(status);
  });

  test("its own tag brings a 304 without a body, alone, weak or in a list", async () => {
    const tag = (await ask(`${origin}/tagged`)).headers.etag!;
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const answer = await ask(`${origin}/tagged`, { "If-None-Match": sent });
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, "", tag]);
    }
  });

  test("a running site writes down who asked what, and how it went", async () => {
    const site = await serveSite({ "/slow": { body: "…", delay: 30 } });
    await Promise.all([ask(`${site.origin}/slow?x=1`, { "User-Agent": "tester" }), ask(`${site.origin}/none`)]);
    await site.close();
    const [slow] = site.log.filter((request) => request.path === "/slow?x=1");
    expect(slow).toMatchObject({ host: site.host, method: "GET", status: 200, headers: { "user-agent": "tester" } });
    expect(site.log.map((request) => request.status).sort()).toEqual([200, 404]);
    expect(site.log.every((request) => request.finishedAt >= request.at && request.finishedAt < performance.now())).toBe(true);
    expect(mostAtOnce(site.log)).toBe(2);
  });

  test("a closed site leaves nobody waiting, and the unanswered are written down as such", async () => {
    const site = await serveSite(() => {
      setImmediate(() => site.close());
      return { body: "too late", delay: 60_000 };
    });
    await expect(ask(site.origin)).rejects.toThrow();
    expect(site.log).toMatchObject([{ path: "/", status: 0, finishedAt: expect.any(Number) }]);
    expect(site.log[0]!.finishedAt).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  test("twenty thousand pages are served one by one, with validators", async () => {
    const site = generatedSite({ pages: 20_000, links: 50, seed: 6 });
    const running = await serveSite(site.pages);
    const url = running.origin + site.paths[19_999];
    const first = await ask(url);
    expect(first.text).toContain("no. 19999");
    expect((await ask(url, { "If-None-Match": first.headers.etag! })).status).toBe(304);
    site.mutate.change(site.paths[19_999]!);
    expect((await ask(url, { "If-None-Match": first.headers.etag! })).status).toBe(200);
    await running.close();
    expect(Math.max(...site.paths.map(site.depthOf))).toBe(6);
  });
});

describe("the demo web", () => {
  let web: DemoWeb;
  let hall = "";
  let books = "";
  let campus = "";
  let shop = "";
  beforeAll(async () => {
    web = await startDemoWeb();
    [hall = "", books = "", campus = "", shop = ""] = web.hosts.map((host) => host.origin);
  });
  afterAll(() => web.close());

  const traps = [/\/events\/\d+\//, /\/study\/reading-list\/./, /\/offers\?page=/, /\/basket/];
  const isTrap = (url: string) => traps.some((trap) => trap.test(url));

  test("every link answers as planned, and nothing else is broken", async () => {
    const home = new Set(web.hosts.slice(0, 4).map((host) => host.origin));
    const answers = new Map<string, Answer>();
    const queue = [...web.seeds, `${hall}/events/2026/11`, `${hall}/events/2026/12`, `${shop}/offers?page=1`];
    for (const url of queue) {
      if (answers.has(url)) continue;
      let answer = await ask(url);
      if (answer.status === 429) answer = await ask(url);
      answers.set(url, answer);
      const { location } = answer.headers;
      const links = answer.headers["content-type"]?.startsWith("text/html") ? linksOf(answer.text, url) : [];
      if (location) links.push(new URL(location, url).href);
      queue.push(...links.filter((link) => home.has(new URL(link).origin) && !isTrap(link)));
    }
    const odd = [...answers]
      .filter(([, answer]) => answer.status !== 200)
      .map(([url, answer]) => `${answer.status} ${new URL(url).pathname}`);
    expect(odd.sort()).toEqual([
      "301 /news/archive",
      "301 /townhall",
      "302 /bins",
      "302 /ring/east",
      "302 /ring/west",
      "302 /rubbish",
      "404 /brass-band",
      "404 /parts/steam-whistle",
      "500 /stock-room",
    ]);
    const html = [...answers.values()].filter((answer) => answer.status === 200 && answer.headers["content-type"]?.startsWith("text/html"));
    // Fewer pages than URLs: some are known by two or three of them.
    expect([html.length, new Set(html.map((answer) => answer.text)).size]).toEqual([92, 84]);
    // Only the sitemap and the meta refresh know these.
    expect(answers.has(`${hall}/news/clock-tower`)).toBe(false);
    expect(answers.get(`${hall}/old-council.html`)?.text).toContain("url=/council/");
    expect(answers.has(`${hall}/departments/recycling/depot`)).toBe(true);
  });

  test("robots.txt comes in four kinds", async () => {
    const answers = await Promise.all([hall, books, campus, shop].map((origin) => ask(`${origin}/robots.txt`)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 301, 404]);
    expect(answers[0]!.text).toContain("Allow: /internal/annual-report$");
    expect(answers[1]!.text).toContain("Crawl-delay: 0.5\n");
    expect((await ask(campus + answers[2]!.headers.location)).text).toContain("Disallow: /user/");
  });

  test("every place the sitemaps name is there", async () => {
    const locations = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]!);
    const [news, council] = locations((await ask(`${hall}/sitemap.xml`)).text);
    const packed = gunzipSync((await ask(council!)).bytes).toString();
    const named = [news!, `${books}/sitemap.xml`].map(async (url) => locations((await ask(url)).text));
    const urls = [...(await Promise.all(named)).flat(), ...locations(packed)];
    expect(urls).toContain(`${hall}/news/clock-tower`);
    for (const url of urls) expect([url, (await ask(url)).status]).toEqual([url, 200]);
  });

  test.each([
    ["francais", "windows-1252", "œuf", "9c7566"],
    ["russkij", "koi8-r", "Зимой", "fac9cdcfca"],
    ["nihongo", "shift_jis", "図書館", "907d8f918ad9"],
    ["ellinika", "utf-16le", "Δώδεκα", "9403ce03b403b503ba03b103"],
  ])("the page /languages/%s writes in %s %s as %s", async (name, _charset, _word, hex) => {
    expect((await ask(`${books}/languages/${name}`)).bytes.toString("hex")).toContain(hex);
  });

  test.each([
    ["a calendar has a month after the last", () => hall, "/events/9999/12", "/events/10000/01"],
    ["and one before the year 1000", () => hall, "/events/1000/01", "/events/0999/12"],
    ["relative links grow", () => campus, "/study/reading-list/further/further/", "/study/reading-list/further/further/further/"],
    ["path segments repeat", () => campus, "/study/reading-list/", "/study/reading-list/study/reading-list/"],
    ["offers go on", () => shop, "/offers?page=4711", "/offers?page=4712"],
  ] as [string, () => string, string, string][])("traps: %s", async (_, origin, path, next) => {
    const answer = await ask(origin() + path);
    expect(answer.status).toBe(200);
    expect(linksOf(answer.text, origin() + path)).toContain(origin() + next);
  });

  test("traps: each look at the basket has a session of its own", async () => {
    const sessions = async () => (await ask(`${shop}/basket`)).text.match(/sid=\w+/g)!;
    expect(await sessions()).not.toEqual(await sessions());
  });

  test("what is said twice is the same to the byte", async () => {
    const old = web.hosts[4]!.origin;
    const pairs: [string, string][] = [
      [`${hall}/`, `${hall}/index.html`],
      [`${hall}/council/budget`, `${old}/council/budget`],
      [`${campus}/research/rivers`, `${campus}/old-site/research/rivers`],
      [`${shop}/parts/bicycle-bell`, `${shop}/parts/bicycle-bell?colour=red`],
    ];
    for (const [one, two] of pairs) expect((await ask(one)).text).toBe((await ask(two)).text);
  });

  test("both kinds of validators bring a 304", async () => {
    const tag = (await ask(`${hall}/council/`)).headers.etag!;
    expect((await ask(`${hall}/council/`, { "If-None-Match": tag })).status).toBe(304);
    const date = (await ask(`${books}/hours`)).headers["last-modified"]!;
    expect((await ask(`${books}/hours`, { "If-Modified-Since": date })).status).toBe(304);
    expect((await ask(`${campus}/`)).headers).not.toHaveProperty("etag");
  });

  test("a week later one page has changed and one has gone, with its link", async () => {
    const paths = ["/", "/council/", "/news/", "/news/bridge", "/news/water-level", "/news/winter-skating"];
    const look = () => Promise.all(paths.map(async (path) => await ask(hall + path)));
    const before = await look();
    web.next();
    const after = await look();
    expect(paths.filter((_, i) => before[i]!.text !== after[i]!.text)).toEqual(["/news/", "/news/water-level", "/news/winter-skating"]);
    expect(after.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 404]);
    expect(before[2]!.text).toContain("winter-skating");
    expect(after[2]!.text).not.toContain("winter-skating");
  });
});
