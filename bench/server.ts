// A server that is never the bottleneck: node bench/server.js <pages> [--hosts n] [--latency ms] [--bytes n] [--links n]. Prints its
// addresses on stdout. A line on stdin asks for the number of requests since the last such line and their cost; "stop", or the end of
// stdin, ends it.
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { benchSite, pageAt } from "./site.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hosts: { type: "string", default: "1" },
    latency: { type: "string", default: "0" },
    bytes: { type: "string", default: "17000" },
    links: { type: "string", default: "50" },
  },
});
const pages = Number(positionals[0] ?? 1000);
const hosts = Number(values.hosts);
const sites = Array.from({ length: hosts }, (_, host) =>
  benchSite({ pages, first: host * pages, bytes: Number(values.bytes), links: Number(values.links) }),
);
const missing = Buffer.from("HTTP/1.1 404 Not Found\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n");

/** One byte per page and host: 1 if it was requested before. */
const seen = Array.from({ length: hosts }, () => new Uint8Array(pages));
let count = { requests: 0, different: 0, twice: 0, notModified: 0 };

interface Answer {
  readonly socket: Socket;
  readonly host: number;
  readonly page: number;
  readonly isKnown: boolean;
}

function send({ socket, host, page, isKnown }: Answer): void {
  const site = sites[host]!;
  if (socket.destroyed) return;
  if (page < 0) return void socket.write(missing);
  if (isKnown) return void socket.write(site.notModified[page]!);
  socket.cork();
  socket.write(site.own[page]!);
  socket.write(site.shared);
  socket.uncork();
}

/** Runs each action `delay` milliseconds after it was added. The delay is constant, so one queue and one timer suffice for any number. */
function openLater<T>(delay: number, act: (item: T) => void): (item: T) => void {
  let waiting: { at: number; item: T }[] = [];
  let first = 0;
  const wake = () => {
    const now = performance.now();
    while (first < waiting.length && waiting[first]!.at <= now) act(waiting[first++]!.item);
    if (first === waiting.length) {
      waiting = [];
      first = 0;
      return;
    }
    if (first > 4096) {
      waiting = waiting.slice(first);
      first = 0;
    }
    setTimeout(wake, Math.max(1, waiting[first]!.at - now));
  };
  return (item) => {
    if (waiting.length === 0) setTimeout(wake, delay);
    waiting.push({ at: performance.now() + delay, item });
  };
}

const latency = Number(values.latency);
const answer = latency > 0 ? openLater(latency, send) : send;

const METHOD = "GET ".length;
const isConditional = (request: Buffer) => request.includes("if-none-match: ") || request.includes("If-None-Match: ");

function take(socket: Socket, request: Buffer, host: number): void {
  count.requests += 1;
  const page = pageAt(request, METHOD, pages);
  const isKnown = page >= 0 && isConditional(request);
  if (isKnown) count.notModified += 1;
  if (page >= 0) {
    if (seen[host]![page]) count.twice += 1;
    else count.different += 1;
    seen[host]![page] = 1;
  }
  answer({ socket, host, page, isKnown });
}

function serve(socket: Socket, host: number): void {
  let rest: Buffer | undefined;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    let data = rest ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = data.indexOf("\r\n\r\n"); end >= 0; end = data.indexOf("\r\n\r\n")) {
      take(socket, data.subarray(0, end), host);
      data = data.subarray(end + 4);
      if (data.length === 0) break;
    }
    rest = data.length > 0 ? data : undefined;
  });
}

const origins: string[] = [];
for (let host = 0; host < hosts; host++) {
  const server = createServer({ noDelay: true }, (socket) => serve(socket, host));
  const address = `127.${1 + Math.floor(host / 62_500)}.${Math.floor(host / 250) % 250}.${1 + (host % 250)}`;
  await new Promise<void>((resolve) => server.listen(0, address, 4096, resolve));
  const { port } = server.address() as { port: number };
  origins.push(`http://${address}:${port}`);
}
process.stdout.write(`${JSON.stringify({ origins })}\n`);

let since = process.cpuUsage();
for await (const line of createInterface({ input: process.stdin })) {
  const { user, system } = process.cpuUsage(since);
  const cpuMicrosPerRequest = Math.round((user + system) / Math.max(1, count.requests));
  process.stdout.write(`${JSON.stringify({ ...count, cpuMicrosPerRequest })}\n`);
  if (line === "stop") break;
  count = { requests: 0, different: 0, twice: 0, notModified: 0 };
  for (const asked of seen) asked.fill(0);
  since = process.cpuUsage();
}
process.exit(0);
