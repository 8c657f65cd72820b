// A server that is never the bottleneck: node bench/server.js <pages> [--hosts n] [--latency ms] [--bytes n] [--links n].
// Says its address on stdout and, when told to stop (a line on stdin), how many requests it served and at what cost.
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type BenchSite, benchSite } from "./site.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hosts: { type: "string", default: "1" },
    latency: { type: "string", default: "0" },
    bytes: { type: "string", default: "17000" },
    links: { type: "string", default: "50" },
  },
});
const site = benchSite({ pages: Number(positionals[0] ?? 1000), bytes: Number(values.bytes), links: Number(values.links) });
const latency = Number(values.latency);
const hosts = Number(values.hosts);
let requests = 0;
let twice = 0;
const missing = Buffer.from("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");

/** One bit a page and host: was it asked for before? */
const seen = Array.from({ length: hosts }, () => new Uint8Array(site.pages));

function pageNumber(path: string): number {
  if (path === "/") return 0;
  const number = Number(/article-(\d+)\.html$/.exec(path)?.[1] ?? Number.NaN);
  return number < site.pages ? number : -1;
}

function answer(socket: Socket, request: string, host: number, { own, shared, notModified }: BenchSite): void {
  requests += 1;
  const page = pageNumber(request.slice(4, request.indexOf(" ", 4)));
  if (!(page >= 0)) return void socket.write(missing);
  if (seen[host]![page]) twice += 1;
  seen[host]![page] = 1;
  if (/\r\nif-none-match:/i.test(request)) return void socket.write(notModified[page]!);
  socket.cork();
  socket.write(own[page]!);
  socket.write(shared);
  socket.uncork();
}

const start = process.cpuUsage();
const origins: string[] = [];
for (let host = 0; host < hosts; host++) {
  const server = createServer({ noDelay: true }, (socket) => {
    let rest = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
        const request = rest.slice(0, end + 2);
        rest = rest.slice(end + 4);
        if (latency > 0) setTimeout(() => answer(socket, request, host, site), latency);
        else answer(socket, request, host, site);
      }
    });
  });
  const address = `127.${1 + Math.floor(host / 62_500)}.${Math.floor(host / 250) % 250}.${1 + (host % 250)}`;
  await new Promise<void>((resolve) => server.listen(0, address, 4096, resolve));
  const { port } = server.address() as { port: number };
  origins.push(`http://${address}:${port}`);
}
process.stdout.write(`${JSON.stringify({ origins })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { user, system } = process.cpuUsage(start);
  process.stdout.write(
    `${JSON.stringify({ requests, twice, cpuMicrosPerRequest: Math.round((user + system) / Math.max(1, requests)) })}\n`,
  );
  if (line === "stop") process.exit(0);
  requests = 0;
  twice = 0;
  for (const pages of seen) pages.fill(0);
}
process.exit(0);
