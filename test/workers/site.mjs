// A web of many small hosts in a process of its own: node site.mjs <hosts> <pages a host> [latency], with a channel to whoever started it.
// It tells its port, then answers "log" with every request it has seen and when; "forget" begins a new log.
import { createServer } from "node:http";

const [hosts, pages, latency] = [2, 3, 4].map((at) => Number(process.argv[at] ?? 0));
const WORDS =
  "heron meadow lantern orchard bridge willow kettle harbour thistle quarry saddle pebble ribbon mill barley anchor finch cellar hedge pylon spindle otter gravel chimney market beacon ferry cobble sparrow tunnel moss weir";
const words = WORDS.split(" ");
const CHILDREN = 4;
const GOLDEN = 0x9e3779b1;

/** Always the same number for the same place, and about evenly spread. */
function draw(...place) {
  let drawn = 2166136261;
  for (const part of place) drawn = Math.imul(drawn ^ (part + GOLDEN), 16777619) ^ (drawn >>> 13);
  drawn = Math.imul(drawn ^ (drawn >>> 16), 0x85ebca6b);
  return (drawn ^ (drawn >>> 13)) >>> 0;
}

const wordAt = (...place) => words[draw(...place) % words.length];
const addressOf = (host) => `127.66.${1 + Math.floor(host / 250)}.${1 + (host % 250)}`;
const pathOf = (host, page) => (page === 0 ? "/" : `/${wordAt(host, page, 1)}/${wordAt(host, page, 2)}-${page}`);
const titleOf = (host, page) => `The ${wordAt(host, page, 3)} of ${wordAt(host, page, 2)}, no. ${host}-${page}`;

/**
 * Every tenth page leads to a page that is gone, and every tenth to one that has moved to another host: to its front page, which everybody knows, or to where
 * nothing else leads. Whatever is visited first, what is said of them is the same.
 */
const isGone = (page) => page % 10 === 7;
const hasMoved = (page) => page % 10 === 3;
const targetOf = (host, page) => `${origin(draw(host, page, 8) % hosts)}${page % 20 === 3 ? "/" : `/arrived/${host}-${page}`}`;

let port = 0;
const origin = (host) => `http://${addressOf(host)}:${port}`;

/** Children in a tree make every page reachable; the others go anywhere, one of them to another host. */
function linksOf(host, page) {
  const inside = [1, 2].map((nth) => draw(host, page, 4, nth) % pages);
  for (let child = CHILDREN * page + 1; child <= CHILDREN * (page + 1) && child < pages; child++) inside.push(child);
  const other = draw(host, page, 5) % hosts;
  const there = draw(host, page, 6) % pages;
  return [
    ...inside.map((target) => [pathOf(host, target), titleOf(host, target)]),
    [`${origin(other)}${pathOf(other, there)}`, titleOf(other, there)],
    ...(isGone(page) ? [[`/gone/${page}`, "What was here once"]] : []),
    ...(hasMoved(page) ? [[`/moved/${page}`, "What has moved"]] : []),
    ...(page % 10 === 1 ? [[`/closed/${page}`, "Not for robots"]] : []),
    ...(page % 10 === 2 ? [[`/picture-${page}.jpg`, "A picture"]] : []),
    ...(page % 10 === 4 ? [["http://127.67.0.1/", "Another web"]] : []),
  ];
}

const proseOf = (...place) => Array.from({ length: 40 }, (_, nth) => wordAt(...place, 7, nth)).join(" ");

function htmlOf(host, page) {
  const links = linksOf(host, page).map(([url, text]) => `<li><a href="${url}">${text}</a></li>`);
  const robots = page % 10 === 5 ? '<meta name="robots" content="noindex">' : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${titleOf(host, page)}</title>${robots}</head>
<body><nav><a href="/">Home</a></nav><main><h1>${titleOf(host, page)}</h1><p>${proseOf(host, page)}.</p><ul>
${links.join("\n")}
</ul></main></body></html>
`;
}

function answerTo(host, path) {
  if (path === "/robots.txt") return { status: 200, type: "text/plain", body: "User-agent: *\nDisallow: /closed/\n" };
  const page = path === "/" ? 0 : Number(/-(\d+)$/.exec(path)?.[1] ?? -1);
  if (page >= 0 && page < pages && path === pathOf(host, page)) return { status: 200, type: "text/html", body: htmlOf(host, page) };
  const [, ...from] = /^\/arrived\/(\d+)-(\d+)$/.exec(path)?.map(Number) ?? [];
  if (from.length > 0)
    return { status: 200, type: "text/html", body: `<!doctype html><title>${path}</title><p>${proseOf(...from, 10)}.</p>` };
  const moved = Number(/^\/moved\/(\d+)$/.exec(path)?.[1] ?? -1);
  if (moved < 0) return { status: 404, type: "text/html", body: "<!doctype html><title>Gone</title><p>There is no such page here.</p>" };
  return { status: 301, location: targetOf(host, moved), type: "text/html", body: "" };
}

let log = [];
const serve = (host) => (request, response) => {
  const path = request.url ?? "/";
  log.push([addressOf(host), path, performance.now()]);
  const { status, type, body, location } = answerTo(host, path);
  const head = { "content-type": type, "content-length": Buffer.byteLength(body), ...(location ? { location } : {}) };
  const send = () => response.writeHead(status, head).end(body);
  if (latency > 0) setTimeout(send, latency);
  else send();
};

for (let host = 0; host < hosts; host++) {
  const server = createServer(serve(host));
  server.keepAliveTimeout = 120_000;
  await new Promise((ready, failed) => server.once("error", failed).listen(port, addressOf(host), 1024, ready));
  port = server.address().port;
}

/** What a crawl of everything finds, and what else it asks for, robots.txt aside: each of them once. */
const [found, others] = [new Set(), new Set()];
for (let host = 0; host < hosts; host++) {
  for (let page = 0; page < pages; page++) {
    found.add(origin(host) + pathOf(host, page));
    if (isGone(page)) others.add(`${origin(host)}/gone/${page}`);
    if (!hasMoved(page)) continue;
    others.add(`${origin(host)}/moved/${page}`);
    found.add(targetOf(host, page));
  }
}

process.on("message", (asked) => {
  if (asked === "log") process.send(log);
  else if (asked === "count") process.send(log.length);
  else if (asked === "forget") {
    log = [];
    process.send("forgotten");
  }
});
process.on("disconnect", () => process.exit(0));
process.send({ port, pages: [...found], urls: [...found, ...others] });
