import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { CrawlEvent, CrawlInput } from "nuthatch";
import { afterEach, describe, expect, test } from "vitest";
import { wildcardNames } from "./farm/subdomains.ts";
import { crawl } from "./near-library.ts";
import { privateSpellings as all } from "./private-spellings.ts";

/** A canary sings on every address of this machine that is no seed, and on a second port of all. */
interface Mine {
  readonly port: number;
  readonly songs: string[];
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

const LINKS = "127.0.6.";
const ROBOTS = "127.0.7.";
const CANARY = "127.0.9.9";
const addressOf = (request: { socket: { localAddress?: string | undefined } }) =>
  (request.socket.localAddress ?? "").replace(/^::ffff:/, "");

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  isOurs: (address: string) => boolean,
): Promise<Mine> {
  const songs: string[] = [];
  const server = createServer(answer);
  server.on("connection", (socket) => {
    const address = addressOf({ socket });
    if (!isOurs(address)) songs.push(address);
  });
  servers.push(server);
  await new Promise<void>((ready, failed) => server.once("error", failed).listen(0, "::", ready));
  return { port: (server.address() as { port: number }).port, songs };
}

const quoted = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const header = (url: string) => url.replaceAll(/[\t\n]/g, "");

function pageFor(path: string, to: string): string | { location: string } {
  const href = quoted(to);
  switch (path) {
    case "/":
      return `<a href="${href}">link</a>${["hop1", "hop2", "refresh", "canonical", "base", "iframe"].map((way) => `<a href="/${way}">${way}</a>`).join("")}`;
    case "/hop1":
      return { location: to };
    case "/hop2":
      return { location: "/hop1?again" };
    case "/hop1?again":
      return { location: to };
    case "/refresh":
      return `<meta http-equiv="refresh" content="0;url=${href}">`;
    case "/canonical":
      return `<link rel="canonical" href="${href}"><link rel="next" href="${href}"><link rel="alternate" hreflang="x" href="${href}">`;
    case "/base":
      return `<base href="${href}/"><a href="deeper">x</a>`;
    case "/iframe":
      return `<iframe src="${href}"></iframe><area href="${href}">`;
    case "/sitemap.xml":
      return `<urlset><url><loc>${href}</loc></url></urlset>`;
    default:
      return "";
  }
}

/** Host n of one network shows the n-th spelling in every way a page can; host n of the other redirects its robots.txt there. */
async function mine(): Promise<Mine> {
  const isSeed = (address: string) => address.startsWith(LINKS) || address.startsWith(ROBOTS);
  const web: Mine = await listen((request, response) => {
    const address = addressOf(request);
    const to = (all[Number(address.split(".").at(-1)) - 1] ?? "").replaceAll("P", String(web.port));
    const path = request.url ?? "/";
    if (path === "/robots.txt" && address.startsWith(LINKS)) {
      response.end(`Sitemap: http://${address}:${web.port}/sitemap.xml\nSitemap: ${header(to)}\n`);
      return;
    }
    const answer = path === "/robots.txt" ? { location: to } : pageFor(path, to);
    if (typeof answer === "string") response.setHeader("content-type", path.endsWith(".xml") ? "application/xml" : "text/html").end(answer);
    else response.writeHead(302, { location: Buffer.from(header(answer.location)).toString("latin1") }).end();
  }, isSeed);
  return web;
}

async function crawlAll(seeds: string[], options: CrawlInput): Promise<{ fates: Map<string, string>; stopReason: string }> {
  const fates = new Map<string, string>();
  const onEvent = (event: CrawlEvent) => {
    if (event.type === "url.settled") fates.set(event.url, event.reason);
  };
  await using run = crawl(seeds, {
    rateLimit: "none",
    maxConcurrent: 8,
    perHost: 4,
    retries: 0,
    scope: "any",
    maxPages: 5000,
    ...options,
    onEvent,
  });
  const { stopReason } = await run.result;
  return { fates, stopReason };
}

describe("the canaries", () => {
  test(`are silent: ${all.length} spellings, by link, redirect, refresh, canonical, base, iframe, sitemap and robots.txt`, async () => {
    const names = await wildcardNames(CANARY);
    const web = await mine();
    const other = await listen(
      (_, response) => response.end("other port"),
      () => false,
    );
    const seeds = [LINKS, ROBOTS].flatMap((network) => all.map((_, n) => `http://${network}${n + 1}:${web.port}/`));
    const { fates, stopReason } = await crawlAll([...seeds, `http://${LINKS}250:${web.port}/`], { resolver: names.resolver });
    names.close();
    expect(web.songs).toEqual([]);
    expect(other.songs).toEqual([]);
    expect(stopReason).toBe("finished");
    // Not for want of trying: every page was read, and the ledger names what stayed closed.
    for (const way of ["hop1", "hop2", "refresh", "canonical", "base", "iframe"])
      for (const n of all.keys()) expect(fates.has(`http://${LINKS}${n + 1}:${web.port}/${way}`)).toBe(true);
    const closed = [...fates].filter(([, reason]) => reason === "private-network");
    expect(closed.length).toBeGreaterThan(80);
    expect(
      [...fates].filter(([url, reason]) => !url.startsWith(`http://${LINKS}`) && !url.startsWith(`http://${ROBOTS}`) && reason === "ok"),
    ).toEqual([]);
  });

  test("another port of a seed's own address stays closed too", async () => {
    const other = await listen(
      (_, response) => response.end("other port"),
      () => false,
    );
    const web = await listen(
      (request, response) => {
        if (request.url === "/robots.txt") response.writeHead(404).end();
        else response.setHeader("content-type", "text/html").end(`<a href="http://${LINKS}1:${other.port}/secret">x</a>`);
      },
      (address) => address === `${LINKS}1`,
    );
    const { fates } = await crawlAll([`http://${LINKS}1:${web.port}/`], {});
    expect([...web.songs, ...other.songs]).toEqual([]);
    expect(fates.get(`http://${LINKS}1:${other.port}/secret`)).toBe("private-network");
  });

  test("sing when they are invited, so silence means something", async () => {
    const names = await wildcardNames(CANARY);
    const web = await mine();
    await crawlAll(
      all.map((_, n) => `http://${LINKS}${n + 1}:${web.port}/`),
      { resolver: names.resolver, allowPrivate: [CANARY, "127.0.0.1", "::1"] },
    );
    names.close();
    // A connection is one song, however many URLs are asked for over it.
    expect(web.songs.filter((address) => address === CANARY).length).toBeGreaterThan(1);
    expect(web.songs).toContain("127.0.0.1");
  });
});
