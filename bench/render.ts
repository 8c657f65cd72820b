/**
 * What showing pages to a browser costs: `npm run bench:render [pages] [engine]`. Pages of a site that is made by its scripts are asked for by the browser, as many at
 * once as it shows; each has a shell, a script that all share, and a list that is fetched. Time, processor and memory are those of the whole tree of processes.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type EngineName, openBrowsers } from "../src/browser/index.ts";
import { Openings } from "../src/fetch/index.ts";
import { hostOf } from "../src/url/index.ts";

const PAGES = Number(process.argv[2] ?? 500);
const engine = (process.argv[3] ?? "chromium") as EngineName;
const WORKERS = 8;
const ITEMS = 40;

const shell = `<!DOCTYPE html><title>Shop</title><main id="app"></main><script src="/app.js"></script>`;
const app = `fetch("/api" + location.pathname).then((r) => r.json()).then(({ title, items }) => {
  document.title = title;
  app.innerHTML = "<h1>" + title + "</h1><ul>" + items.map((n) => '<li><a href="/page/' + n + '">Thing ' + n + "</a><p>" + "A thing among others. ".repeat(20) + "</p></li>").join("") + "</ul>";
});`;
let requests = 0;
const server = createServer((asked, answer) => {
  requests += 1;
  const path = asked.url ?? "";
  const say = (type: string, text: string) => answer.writeHead(200, { "content-type": type, "cache-control": "max-age=600" }).end(text);
  if (path === "/app.js") return say("text/javascript", app);
  if (!path.startsWith("/api/")) return say("text/html", shell);
  const page = Number(path.split("/").at(-1));
  return say(
    "application/json",
    JSON.stringify({ title: `Page ${page}`, items: Array.from({ length: ITEMS }, (_, at) => page * ITEMS + at) }),
  );
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const text = (path: string) => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it has ended
  }
};
const children = (pid: number): number[] => {
  let threads: string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it has ended
  }
  return threads.flatMap((thread) => text(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number));
};
const tree = (pid: number): number[] => [pid, ...children(pid).flatMap(tree)];

/** Memory shared between processes is counted once. */
const memoryOf = (pid: number) => Number(/^Pss:\s+(\d+)/m.exec(text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
const ticks = new Map<number, number>();
const sample = () => {
  let memory = 0;
  for (const pid of tree(process.pid)) {
    memory += memoryOf(pid);
    const fields = text(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    ticks.set(pid, Math.max(ticks.get(pid) ?? 0, Number(fields[11] ?? 0) + Number(fields[12] ?? 0)));
  }
  return memory;
};

const browsers = await openBrowsers({
  ...{ engines: [engine], browser: [], product: "nuthatch/bench", userAgent: undefined, access: undefined },
  ...{ timeout: 10_000, maxBody: 10_000_000, types: [], opened: new Openings(["127.0.0.1"]) },
});
const samples: { readonly page: number; readonly memory: number }[] = [];
let shown = 0;
let failures = 0;
const never = new AbortController().signal;
const showOne = async (page: number) => {
  const url = `${origin}/page/${page}`;
  const document = { host: hostOf(url), spent: false };
  const { fetched } = await browsers.render(engine, { url, document, refusal: () => undefined, wantsPicture: false }, never);
  const isWhole = fetched.kind === "body" && new TextDecoder().decode(fetched.bytes).split("<a href").length === ITEMS + 1;
  if (!isWhole) failures += 1;
  shown += 1;
};
await showOne(0);
const began = performance.now();
const looks = setInterval(() => samples.push({ page: shown, memory: sample() }), 2_000);
let next = 0;
const work = async () => {
  while (next < PAGES) {
    next += 1;
    await showOne(next);
  }
};
await Promise.all(Array.from({ length: WORKERS }, work));
clearInterval(looks);
samples.push({ page: shown, memory: sample() });
const seconds = (performance.now() - began) / 1000;
await browsers.close();
server.closeAllConnections();
server.close();

const median = (from: number, to: number) => {
  const part = samples.filter(({ page }) => page >= from * PAGES && page <= to * PAGES).map(({ memory }) => memory);
  return part.sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
};
const cpu = [...ticks.values()].reduce((sum, one) => sum + one, 0) / 100;
console.log(`${PAGES} pages in ${engine}, ${failures} not whole, ${requests} requests`);
console.log(`pages/s            ${(PAGES / seconds).toFixed(2)}  (${seconds.toFixed(0)} s)`);
console.log(`processor          ${((1000 * cpu) / PAGES).toFixed(0)} ms a page`);
console.log(`memory, peak       ${Math.max(...samples.map(({ memory }) => memory)).toFixed(0)} MB, all processes`);
console.log(`memory, 2nd fifth  ${median(0.2, 0.4).toFixed(0)} MB`);
console.log(`memory, last fifth ${median(0.8, 1).toFixed(0)} MB`);
process.exitCode = failures > 0 ? 1 : 0;
