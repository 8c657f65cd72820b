/** Files compressed at build time, held in memory and sent as they are. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

export interface PackedFile {
  readonly packed: Buffer;
  readonly type: string;
  readonly tag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
};

/** Files by name without `.gz`; empty if they were not built. */
export function packedFiles(name: string): ReadonlyMap<string, PackedFile> {
  const here = import.meta.url;
  const folder = new URL(here.includes("/bundle/") ? `./${name}/` : `../../../bundle/${name}/`, here);
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((file) => file.endsWith(".gz"));
  return new Map(
    files.map((file) => {
      const packed = readFileSync(fileURLToPath(new URL(file, folder)));
      const plain = file.slice(0, -".gz".length);
      const tag = `"${createHash("sha256").update(packed).digest("base64url").slice(0, 16)}"`;
      return [plain, { packed, tag, type: TYPES[plain.split(".").at(-1)!] ?? "application/octet-stream" }];
    }),
  );
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, { packed, type, tag }: PackedFile): FastifyReply {
  reply.headers({ etag: tag, "cache-control": "no-cache", vary: "accept-encoding" });
  if (request.headers["if-none-match"] === tag) return reply.code(304).send();
  reply.type(type);
  const acceptsGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  return acceptsGzip ? reply.header("content-encoding", "gzip").send(packed) : reply.send(gunzipSync(packed));
}
