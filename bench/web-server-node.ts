// Fallback if nginx is not installed: node web-server-node.js <setup as JSON>. Serves a folder from memory, compressed in advance, and
// writes an access log in the same format as nginx. Exits when stdin ends.
import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { createServer as createPlain, type RequestListener } from "node:http";
import { createServer as createSecure } from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Coding } from "./web-server.ts";

interface Setup {
  readonly root: string;
  readonly addresses: readonly string[];
  readonly coding: Coding;
  readonly hasTls: boolean;
  readonly port: number;
  readonly log: string;
  readonly certificate: string;
}

const setup = JSON.parse(process.argv[2]!) as Setup;
const log = createWriteStream(setup.log, { flags: "a" });
const numbers = new WeakMap<Socket, number>();
let connections = 0;

function compressed(file: string): Buffer {
  if (setup.coding === "gzip") return readFileSync(`${file}.gz`);
  const bytes = readFileSync(file);
  return setup.coding === "br" ? brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : bytes;
}

function filesOf(address: string): Map<string, Buffer> {
  const root = join(setup.root, address);
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
  return new Map(names.map((name) => [name === "index.html" ? "/" : `/${name}`, compressed(join(root, name))]));
}

function answering(address: string): RequestListener {
  const files = filesOf(address);
  const coding = setup.coding === "identity" ? "-" : setup.coding;
  const headers = { "content-type": "text/html", ...(setup.coding !== "identity" && { "content-encoding": setup.coding }) };
  return ({ url = "", socket }, response) => {
    const body = files.get(url);
    if (!numbers.has(socket)) numbers.set(socket, ++connections);
    log.write(`${address} ${body ? 200 : 404} ${url} ${numbers.get(socket)} ${body ? coding : "-"}\n`);
    if (body) response.writeHead(200, { ...headers, "content-length": body.length }).end(body);
    else response.writeHead(404, { "content-length": 0 }).end();
  };
}

const [cert, key] = ["cert.pem", "key.pem"].map((name) => readFileSync(join(setup.certificate, name)));
for (const address of setup.addresses) {
  const listener = answering(address);
  const server = setup.hasTls
    ? createSecure({ cert, key, minVersion: "TLSv1.3", keepAliveTimeout: 120_000 }, listener)
    : createPlain({ keepAliveTimeout: 120_000 }, listener);
  server.listen(setup.port, address);
}
process.stdin.on("end", () => process.exit(0)).resume();
