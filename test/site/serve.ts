import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoggedRequest } from "./log.ts";

export interface PageAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Milliseconds before the answer starts, on top of the site's latency. */
  delay?: number;
  /** A strong ETag made from the body, and 304 to those who have it. */
  etag?: boolean;
  lastModified?: Date;
}

/** HTML, an answer in detail, or a function of how often this path has been asked for (1 is the first time). */
export type PageSpec = string | PageAnswer | ((hit: number) => PageSpec);

export interface SiteRequest {
  /** Path and query, as they came over the wire. */
  path: string;
  host: string;
  headers: IncomingHttpHeaders;
}

export type PageHandler = (request: SiteRequest) => PageSpec | undefined;

export interface RunningSite {
  origin: string;
  host: string;
  log: LoggedRequest[];
  close(): Promise<void>;
}

/** Looks pages up by path and query; a query nobody planned is ignored, as static servers do. */
export function pagesIn(table: Record<string, PageSpec>): PageHandler {
  const pages = new Map(Object.entries(table));
  return ({ path }) => pages.get(path) ?? pages.get(path.split("?", 1)[0]!);
}

/** Serves pages given as a table or as a function; what they do not know is a 404. */
export async function serveSite(
  pages: Record<string, PageSpec> | PageHandler,
  options: { address?: string; port?: number; latency?: number } = {},
): Promise<RunningSite> {
  const find = typeof pages === "function" ? pages : pagesIn(pages);
  const log: LoggedRequest[] = [];
  const hits = new Map<string, number>();

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const entry = logged(request);
    log.push(entry);
    response.on("close", () => {
      entry.finishedAt = performance.now();
    });
    const hit = (hits.get(entry.path) ?? 0) + 1;
    hits.set(entry.path, hit);
    const answer = settled(find({ path: entry.path, host: entry.host, headers: request.headers }), hit);
    const wait = (options.latency ?? 0) + (answer.delay ?? 0);
    if (wait > 0) await sleep(wait, undefined, { ref: false });
    if (response.destroyed) return; // the other side hung up, or the site was closed
    entry.status = send(answer, request, response);
  };

  const server = createServer(respond);
  // Longer than any pause between two polite requests, so that a client never writes into a connection we are closing.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((ready, failed) => {
    server.once("error", failed).listen(options.port ?? 0, options.address ?? "127.0.0.1", ready);
  });
  const { address, port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { origin: `http://${address}:${port}`, host: `${address}:${port}`, log, close };
}

/** A request without an answer has status 0; while it waits it ends at infinity, so it counts as being in flight. */
function logged(request: IncomingMessage): LoggedRequest {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { method = "GET", url: path = "/" } = request;
  return { at: performance.now(), host: headers.host ?? "", method, path, headers, status: 0, finishedAt: Number.POSITIVE_INFINITY };
}

function settled(found: PageSpec | undefined, hit: number): PageAnswer {
  let spec = found ?? { status: 404, body: "<!doctype html><title>Not found</title><h1>Not found</h1><p>There is no such page here.</p>" };
  while (typeof spec === "function") spec = spec(hit);
  return typeof spec === "string" ? { body: spec } : spec;
}

function send(answer: PageAnswer, request: IncomingMessage, response: ServerResponse): number {
  const body = Buffer.from(answer.body ?? "");
  if (answer.body !== undefined) response.setHeader("Content-Type", "text/html; charset=utf-8");
  const etag = answer.etag ? `"${createHash("sha256").update(body).digest("hex").slice(0, 20)}"` : undefined;
  if (etag) response.setHeader("ETag", etag);
  if (answer.lastModified) response.setHeader("Last-Modified", answer.lastModified.toUTCString());
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);

  const status = answer.status ?? 200;
  response.statusCode = status === 200 && isKnown(request.headers, etag, answer.lastModified) ? 304 : status;
  if (response.statusCode === 304) {
    response.removeHeader("Content-Type");
    response.end();
  } else {
    response.setHeader("Content-Length", body.length);
    response.end(body);
  }
  return response.statusCode;
}

/** RFC 9110 §13.2.2: If-Modified-Since is not looked at when If-None-Match is there and we have an ETag to compare. */
function isKnown(headers: IncomingHttpHeaders, etag: string | undefined, lastModified: Date | undefined): boolean {
  const tags = headers["if-none-match"];
  if (etag && tags !== undefined) return tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return lastModified !== undefined && tags === undefined && Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
}
