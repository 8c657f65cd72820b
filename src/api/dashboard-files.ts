/** The dashboard as it was built, held in memory: a handful of packed files and one page for every view. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

interface File {
  readonly packed: Buffer;
  readonly type: string;
  readonly tag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Nothing from elsewhere, nothing inline. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function addDashboard(front: FastifyInstance): void {
  const files = readFiles();
  const page = files.get("index.html");
  if (!page) return;
  front.get("/assets/:name", (request, reply) => {
    const file = files.get((request.params as { name: string }).name);
    return file ? send(request, reply, file) : reply.callNotFound();
  });
  for (const path of ["/", "/crawls", "/links", "/changes", "/pages", "/structure", "/hosts", "/playground", "/settings", "/login"]) {
    front.get(path, (request, reply) => send(request, reply, page));
    if (path !== "/") front.get(`${path}/*`, (request, reply) => send(request, reply, page));
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { packed, type, tag }: File) {
  reply.headers({ etag: tag, "cache-control": "no-cache", "content-security-policy": POLICY, vary: "accept-encoding" });
  if (request.headers["if-none-match"] === tag) return reply.code(304).send();
  reply.type(type);
  const takesPacked = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  return takesPacked ? reply.header("content-encoding", "gzip").send(packed) : reply.send(gunzipSync(packed));
}

function readFiles(): Map<string, File> {
  const here = import.meta.url;
  const folder = new URL(here.includes("/bundle/") ? "./dashboard/" : "../../bundle/dashboard/", here);
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((name) => name.endsWith(".gz"));
  return new Map(
    names.map((name) => {
      const packed = readFileSync(fileURLToPath(new URL(name, folder)));
      const plain = name.slice(0, -3);
      const tag = `"${createHash("sha256").update(packed).digest("base64url").slice(0, 16)}"`;
      return [plain, { packed, tag, type: TYPES[plain.split(".").at(-1)!] ?? "application/octet-stream" }];
    }),
  );
}
