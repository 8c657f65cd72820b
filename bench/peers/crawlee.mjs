// Crawlee at its best: node crawlee.mjs <basic|http|cheerio> <origin>. Concurrency fixed at 64, storage in memory, no sessions, and a set of
// its user's own in front of the request queue, which spares the queue what it has seen. One record a page, in pages.jsonl.
import { createWriteStream } from "node:fs";
import { BasicCrawler, Configuration, log } from "@crawlee/basic";
import { CheerioCrawler } from "@crawlee/cheerio";
import { HttpCrawler } from "@crawlee/http";
import { Parser } from "htmlparser2";
import { Agent, request } from "undici";

const [kind, origin] = process.argv.slice(2);
const CONCURRENCY = 64;
log.setLevel(log.LEVELS.ERROR);

const seen = new Set();
const records = createWriteStream("pages.jsonl");
let pages = 0;

function read(html) {
  const hrefs = [];
  let title = "";
  let isTitle = false;
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === "a" && href) hrefs.push(href);
      isTitle = name === "title";
    },
    ontext: (text) => {
      if (isTitle) title += text;
    },
    onclosetag: () => {
      isTitle = false;
    },
  });
  parser.end(html);
  return { hrefs, title };
}

async function keep(crawler, { url, userData }, { hrefs, title }) {
  const fresh = [];
  const links = hrefs.map((href) => {
    const link = new URL(href, url).href;
    if (link.startsWith(origin) && !seen.has(link)) {
      seen.add(link);
      fresh.push({ url: link, uniqueKey: link, userData: { depth: userData.depth + 1 } });
    }
    return link;
  });
  records.write(`${JSON.stringify({ url, title, depth: userData.depth, links })}\n`);
  pages += 1;
  if (fresh.length > 0) await crawler.addRequests(fresh, { waitForAllRequestsToBeAdded: true });
}

const options = {
  minConcurrency: CONCURRENCY,
  maxConcurrency: CONCURRENCY,
  maxRequestRetries: 1,
  useSessionPool: false,
  retryOnBlocked: false,
  statisticsOptions: { saveErrorSnapshots: false, persistenceOptions: { enable: false } },
};
const overHttp = { ...options, persistCookiesPerSession: false, additionalMimeTypes: [] };
const config = new Configuration({ persistStorage: false, persistStateIntervalMillis: 3_600_000 });

const dispatcher = new Agent({ connections: CONCURRENCY });
const kinds = {
  basic: () =>
    new BasicCrawler(
      {
        ...options,
        requestHandler: async ({ request: asked, crawler }) => {
          const { body } = await request(asked.url, { dispatcher });
          await keep(crawler, asked, read(await body.text()));
        },
      },
      config,
    ),
  http: () =>
    new HttpCrawler(
      { ...overHttp, requestHandler: async ({ request: asked, crawler, body }) => keep(crawler, asked, read(body.toString())) },
      config,
    ),
  cheerio: () =>
    new CheerioCrawler(
      {
        ...overHttp,
        requestHandler: async ({ request: asked, crawler, $ }) => {
          const hrefs = $("a[href]")
            .toArray()
            .map((element) => element.attribs.href);
          await keep(crawler, asked, { hrefs, title: $("title").text() });
        },
      },
      config,
    ),
};

seen.add(`${origin}/`);
await kinds[kind]().run([{ url: `${origin}/`, userData: { depth: 0 } }]);
await new Promise((resolve) => records.end(resolve));
process.stdout.write(`${JSON.stringify({ pages })}\n`, () => process.exit(0));
