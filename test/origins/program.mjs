// A program that uses the library: node program.mjs <data file> seeds|plugin <url>…
import { crawl, definePlugin } from "../../dist/src/index.js";

const [db, how, ...urls] = process.argv.slice(2);
const options = { db, resolver: process.env.NUTHATCH_RESOLVER, rateLimit: "none", timeout: "8s", retries: 0, header: ["X-Secret: canary"] };
// A plugin's URLs come on top of a seed.
const [seeds, plugins] = how === "plugin" ? [["http://127.9.1.1:1/"], [definePlugin({ name: "more", seeds: () => urls })]] : [urls, []];
await crawl(seeds, { ...options, plugins }).result;
