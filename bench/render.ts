/**
 * The cost of rendering: `npm run bench -- render [pages] [engine] [--write]`. The browser fetches and renders pages of a site built by
 * scripts, as many in parallel as the engine allows. Time, CPU and memory are those of the whole process tree, printed for each fifth of
 * the pages; with --write also in docs/.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { hostOf } from "../src/analysis/url/index.ts";
import { type EngineName, openBrowsers } from "../src/engine/browser/index.ts";
import { DnsCache, openResolver, PrivateHosts } from "../src/engine/fetch/index.ts";
import { watchTree } from "./processes.ts";
import { busyNote, machine, recordLast } from "./report.ts";

/** A shop built by scripts: each page is a shell with a shared script and a list that is fetched. */
const ITEMS = 40;

const shell = `<!DOCTYPE html><title>Shop</title><main id="app"></main><script src="/app.js"></script>`;
const app = `fetch("/api" + location.pathname).then((r) => r.json()).then(({ title, items }) => {
  document.title = title;
  app.innerHTML = "<h1>" + title + "</h1><ul>" + items.map((n) => '<li><a href="/page/' + n + '">Thing ' + n + "</a><p>" + "A thing among others. ".repeat(20) + "</p></li>").join("") + "</ul>";
});`;

interface RenderSite {
  readonly origin: string;
  readonly requests: () => number;
  close(): void;
}

async function serveShop(): Promise<RenderSite> {
  let requests = 0;
  const server = createServer((asked, answer) => {
    requests += 1;
    const path = asked.url ?? "";
    const say = (type: string, text: string) => answer.writeHead(200, { "content-type": type, "cache-control": "max-age=600" }).end(text);
    if (path === "/app.js") return say("text/javascript", app);
    if (!path.startsWith("/api/")) return say("text/html", shell);
    const page = Number(path.split("/").at(-1));
    const items = Array.from({ length: ITEMS }, (_, at) => page * ITEMS + at);
    return say("application/json", JSON.stringify({ title: `Page ${page}`, items }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: "boolean", default: false } } });
const PAGES = Number(positionals[0] ?? 500);
const engine = (positionals[1] ?? "chromium") as EngineName;
const WORKERS = 8;
const PARTS = 5;

interface Part {
  readonly pages: number;
  readonly seconds: number;
  readonly cpu: number;
  /** Median of the samples. */
  readonly memory: number;
}

const load = loadavg()[0]!;
const site = await serveShop();
const browsers = await openBrowsers({
  ...{ engines: [engine], browser: [], product: "nuthatch/bench", userAgent: undefined, access: undefined },
  ...{
    timeout: 10_000,
    maxBody: 10_000_000,
    types: [],
    names: new DnsCache(openResolver({ timeout: 10_000 })),
    opened: new PrivateHosts(["127.0.0.1"]),
  },
});
const never = new AbortController().signal;
let failures = 0;
async function showOne(page: number): Promise<void> {
  const url = `${site.origin}/page/${page}`;
  const document = { host: hostOf(url), spent: false };
  const { fetched } = await browsers.render(engine, { url, document, refusal: () => undefined, wantsPicture: false }, never);
  const isWhole = fetched.kind === "body" && new TextDecoder().decode(fetched.bytes).split("<a href").length === ITEMS + 1;
  if (!isWhole) failures += 1;
}

// The start of the browser is not measured.
await showOne(0);
const look = watchTree(process.pid);
const parts: Part[] = [];
let peak = 0;
let seen: number[] = [];
const sample = () => {
  const { memory, cpu } = look();
  seen.push(memory);
  peak = Math.max(peak, memory);
  return cpu;
};
let last = { at: performance.now(), cpu: sample(), shown: 0 };
const looks = setInterval(sample, 2_000);
let shown = 0;
function told(): void {
  shown += 1;
  if (shown % Math.ceil(PAGES / PARTS) !== 0 && shown !== PAGES) return;
  const now = { at: performance.now(), cpu: sample(), shown };
  const memory = seen.sort((a, b) => a - b)[Math.floor(seen.length / 2)]!;
  parts.push({ pages: shown - last.shown, seconds: (now.at - last.at) / 1000, cpu: now.cpu - last.cpu, memory });
  process.stderr.write(`${shown} of ${PAGES} pages, ${((now.at - last.at) / 1000).toFixed(0)} s, ${memory.toFixed(0)} MB\n`);
  last = now;
  seen = [];
}
let next = 0;
const work = async () => {
  while (next < PAGES) {
    next += 1;
    await showOne(next);
    told();
  }
};
await Promise.all(Array.from({ length: WORKERS }, work));
clearInterval(looks);
await browsers.close();
site.close();

const total = (of: (part: Part) => number) => parts.reduce((sum, part) => sum + of(part), 0);
const rowOf = (name: string, { pages, seconds, cpu, memory }: Part) =>
  `| ${name} | ${(pages / seconds).toFixed(2)} | ${(cpu / pages).toFixed(0)} | ${memory.toFixed(0)} |`;
let upTo = 0;
const rows = parts.map((part) => {
  upTo += part.pages;
  return rowOf(`${upTo - part.pages + 1} to ${upTo}`, part);
});
const whole: Part = { pages: PAGES, seconds: total((part) => part.seconds), cpu: total((part) => part.cpu), memory: peak };
const table = [
  "| pages | pages/s | CPU ms a page | memory MB |",
  "| --- | --: | --: | --: |",
  ...rows,
  rowOf("all, and the peak of memory", whole),
].join("\n");
const made = `${PAGES} pages in ${engine}, ${failures} of them not whole, ${site.requests()} requests`;
console.log(`${made}\n\n${table}`);
if (values.write)
  recordLast(`## Pages in a browser

Each page is a shell with a script that all share, which fetches a list of ${ITEMS} things; the browser has four tabs. CPU and memory are those of the crawler, its site and all
processes of the browser together: memory that they share counted once, looked at every 2 s, the middle of what was seen. ${made}.

${table}

Measured on ${new Date().toISOString().slice(0, 10)} with \`npm run bench -- render ${PAGES} ${engine} --write\`: ${machine()}.${busyNote(load)}
`);
process.exitCode = failures > 0 ? 1 : 0;
