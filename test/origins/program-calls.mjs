// A program that calls each function of the library that asks the web: node program-calls.mjs <resolver> [[name, [url, …]], …]
import * as library from "../../dist/src/index.js";

const [resolver, calls] = process.argv.slice(2);
const options = { resolver, rateLimit: "none", timeout: "8s", retries: 0, sitemap: "off", header: ["X-Secret: canary"] };

const each = (call) => async (urls) => {
  for (const url of urls) await call(url).catch((error) => console.log(`${url}: ${error.message}`));
};
const ways = {
  crawl: (urls) => library.crawl(urls, options).result,
  createCrawler: (urls) => library.createCrawler(options).run(urls).result,
  fetchPage: each((url) => library.fetchPage(url, options)),
  map: each((url) => library.map(url, options)),
  context: each((url) => library.context(url, options)),
  enrich: (urls) => library.enrich(urls, options),
  enrichEach: async (urls) => {
    for await (const _ of library.enrichEach(urls, options));
  },
};
for (const [name, urls] of JSON.parse(calls)) await ways[name](urls);
