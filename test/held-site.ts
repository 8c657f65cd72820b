/** A site that answers one of its pages only when it is told to, so that a test can say what happens while they are out. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";

export interface HeldSite {
  readonly host: string;
  readonly home: string;
  /** The page that is held. */
  held: string;
  /** Waits until so many requests for it wait for an answer. */
  untilAsked(times: number): Promise<unknown>;
  /** Answers the one that waits longest. */
  answer(): void;
  close(): void;
}

export async function holdSite(pages: Record<string, string>): Promise<HeldSite> {
  const waiting: (() => void)[] = [];
  const answerTo = (path: string, response: ServerResponse) => {
    const page = pages[path];
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" }).end(page);
  };
  const server = createServer(({ url = "" }, response) => {
    if (url === site.held) waiting.push(() => answerTo(url, response));
    else answerTo(url, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: HeldSite = {
    host,
    home: `http://${host}/`,
    held: "/next",
    untilAsked: (times) => vi.waitUntil(() => waiting.length === times, { timeout: 20_000 }),
    answer: () => waiting.shift()!(),
    close: () => void server.close(),
  };
  return site;
}
