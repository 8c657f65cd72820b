// Shows a page with an engine and holds on to it; then does what it is told: nothing, until somebody ends it, or an end of its own.
import { openBrowsers } from "../../dist/src/engine/browser/index.js";
import { DnsCache, openResolver, PrivateHosts } from "../../dist/src/engine/fetch/index.js";

const [engine, url, ending] = process.argv.slice(2);
const opened = new PrivateHosts([]);
opened.allowUrl(url);
const browsers = await openBrowsers({
  ...{ engines: [engine], browser: [], product: "nuthatch/0.0.0", access: undefined, opened },
  names: new DnsCache(openResolver({ timeout: 10_000 })),
  ...{ timeout: 10_000, maxBody: 1_000_000, types: [] },
});
const ask = { url, document: { host: new URL(url).host, spent: false }, refusal: () => undefined, wantsPicture: false };
const { fetched } = await browsers.render(engine, ask, new AbortController().signal);
process.stdout.write(`${fetched.kind}\n`);
if (ending === "throws") setTimeout(() => Promise.reject(new Error("nobody expected this")), 500);
else if (ending === "exits") setTimeout(() => process.exit(0), 500);
else if (ending === "closes") await browsers.close();
else setInterval(() => undefined, 1000);
