// Misbehaving hosts for the soak test: node soak-site.js <hosts> <folder of the certificate>. Prints its origins on stdout and exits when
// stdin ends. The behaviour of each request is random, with the same random sequence in every run.
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { seededRandom } from "../src/engine/frontier/index.ts";
import { generatedPage, manyHosts } from "./real-site.ts";

const [hosts = "200", folder = "."] = process.argv.slice(2);
const PAGES_A_HOST = 15;
const KINDS = 60;
const MB = 1024 * 1024;
const random = seededRandom(1);

/** Every tenth page changes on each request. */
const CHANGING = 10;

const bodies = Array.from({ length: KINDS }, (_, index) => generatedPage(index));
const packed = bodies.map((body) => gzipSync(body));
const large = Array.from({ length: 8 }, (_, at) =>
  gzipSync(
    `<!doctype html><title>Large ${at}</title>${"<p>A long page says the same again and again.</p>\n".repeat(((2 + at) * MB) / 48)}`,
  ),
);
const packedHeaders = { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" };

function send(response: ServerResponse, body: Buffer, headers: Readonly<Record<string, string>> = packedHeaders): void {
  response.writeHead(200, { ...headers, "content-length": body.length }).end(body);
}

function ordinary(response: ServerResponse, page: number): void {
  const body = bodies[page % KINDS]!;
  if (page % CHANGING !== 0) {
    send(response, packed[page % KINDS]!);
    return;
  }
  const news = `<main><p>Edition ${Math.floor(random() * 1e9)} of this page, with news of the day.</p></main></body>`;
  send(response, Buffer.from(body.toString().replace("</body>", news)), { "content-type": "text/html; charset=utf-8" });
}

/** Sends the body in pieces with delays. */
function slow(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { ...packedHeaders, "content-length": body.length });
  const piece = Math.ceil(body.length / 8);
  let at = 0;
  const next = () => {
    if (response.destroyed) return;
    response.write(body.subarray(at, at + piece));
    at += piece;
    if (at < body.length) setTimeout(next, 200);
    else response.end();
  };
  next();
}

function cut(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { ...packedHeaders, "content-length": body.length });
  response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
}

function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { "content-length": 0, ...headers }).end();
}

/** Percentage of requests for each fault; the rest is answered normally. */
const faults: readonly (readonly [share: number, act: (response: ServerResponse, page: number) => void])[] = [
  [2, (response) => response.socket?.destroy()],
  [1, () => {}], // stalls: the crawler has to time out
  [1, (response) => refuse(response, 429, { "retry-after": "1" })],
  [2, (response) => refuse(response, 503)],
  [3, (response, page) => slow(response, packed[page % KINDS]!)],
  [1, (response) => send(response, large[Math.floor(random() * large.length)]!)],
  [2, (response, page) => cut(response, packed[page % KINDS]!)],
];

function answer({ url = "/" }: IncomingMessage, response: ServerResponse, host: number): void {
  if (url === "/") {
    home(response, host);
    return;
  }
  const page = Number(/^\/page\/(\d+)\.html$/.exec(url)?.[1] ?? -1);
  if (page < 0 || page >= PAGES_A_HOST) {
    refuse(response, 404);
    return;
  }
  let lot = random() * 100;
  for (const [share, act] of faults) {
    lot -= share;
    if (lot < 0) {
      act(response, host * PAGES_A_HOST + page);
      return;
    }
  }
  ordinary(response, host * PAGES_A_HOST + page);
}

function home(response: ServerResponse, host: number): void {
  const links = Array.from({ length: PAGES_A_HOST }, (_, page) => `<li><a href="/page/${page}.html">Page ${page} of host ${host}</a></li>`);
  const html = `<!doctype html><html lang="en"><title>Host ${host}</title><body><ul>${links.join("")}</ul></body></html>`;
  send(response, Buffer.from(html), { "content-type": "text/html; charset=utf-8" });
}

const [cert, key] = ["cert.pem", "key.pem"].map((name) => readFileSync(join(folder, name)));
const origins: string[] = [];
let port = 0;
for (const [host, address] of manyHosts(Number(hosts)).entries()) {
  const server = createServer({ cert, key, minVersion: "TLSv1.3" }, (request, response) => answer(request, response, host));
  server.on("clientError", (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  port = (server.address() as AddressInfo).port;
  origins.push(`https://${address}:${port}`);
}
process.stdout.write(`${JSON.stringify({ origins })}\n`);
process.stdin.on("end", () => process.exit(0)).resume();
