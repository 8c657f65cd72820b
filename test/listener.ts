/** Servers on loopback that note every word they are told, for tests of what is said to whom. */
import { writeFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { afterEach } from "vitest";
import { tempFolder } from "./cli.ts";

/** What must be said to nobody but its own origin: a header, a password, what becomes of it, a cookie. */
export const SECRETS = ["canary-header", "canary-auth", Buffer.from("robin:canary-auth").toString("base64"), "canary-cookie"];
export const given = ["--header", "X-Key: canary-header", "--auth", "robin:canary-auth"];
export const fast = ["--rate-limit", "none", "--max-concurrent", "8", "--retries", "0"];

export const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export function folderForTest() {
  const folder = tempFolder();
  closers.push(() => folder[Symbol.dispose]());
  return folder;
}

export interface Listener {
  readonly origin: string;
  /** Path and raw headers of each request. */
  readonly asked: { readonly path: string; readonly said: string }[];
}

/** A string is a page, an URL with a scheme where to go instead. */
type Pages = (path: string) => string | { readonly to: string } | undefined;

export async function listen(address: string, pages: Pages, tls?: { key: string; cert: string }): Promise<Listener> {
  const asked: Listener["asked"] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "";
    asked.push({ path, said: request.rawHeaders.join("\n") });
    const page = pages(path);
    if (page === undefined) response.writeHead(404).end();
    else if (typeof page !== "string")
      response.writeHead(302, { location: page.to, "set-cookie": "tracker=canary-cookie-set; Path=/" }).end();
    else
      response
        .setHeader("content-type", path.endsWith(".xml") ? "application/xml" : path === "/robots.txt" ? "text/plain" : "text/html")
        .end(page);
  };
  const server = tls ? createHttps(tls, answer) : createHttp(answer);
  await new Promise<void>((ready) => server.listen(0, address, ready));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  return { origin: `${tls ? "https" : "http"}://${address}:${(server.address() as { port: number }).port}`, asked };
}

export const link = (url: string) => `<a href="${url}">${url}</a>`;
export const said = (listeners: readonly Listener[]) => listeners.flatMap(({ asked }) => asked.map((request) => request.said)).join("\n");

export function cookieFile(folder: { file(name: string): string }, ...hosts: string[]): string {
  const path = folder.file("cookies.txt");
  const lines = hosts.map((host) => [host, "FALSE", "/", "FALSE", "0", "session", "canary-cookie"].join("\t"));
  writeFileSync(path, `# Netscape HTTP Cookie File\n${lines.join("\n")}\n`);
  return path;
}
