/** Servers on loopback that answer byte for byte, and a fetcher to meet them: for tests of what the web can do to us. */
import { createServer, type Socket } from "node:net";
import { afterAll, afterEach, expect } from "vitest";
import { hostOf } from "../src/analysis/url/index.ts";
import type { Fetched } from "../src/core/records.ts";
import {
  DnsCache,
  type FetcherSetup,
  type FetchRequest,
  openFetcher,
  openResolver,
  PrivateHosts,
  type Resolve,
} from "../src/engine/fetch/index.ts";

const closers: (() => Promise<void>)[] = [];

/** Also run after each test. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}
afterEach(closeAll);

// A socket or stream that fails after its answer must not reach the process.
const stray: unknown[] = [];
process.on("unhandledRejection", (error) => stray.push(error));
process.on("uncaughtException", (error) => stray.push(error));
afterAll(() => expect(stray).toEqual([]));

/** `answer` is called for each request that ends in an empty line, `greet` for each connection. */
export async function serve(
  answer: (socket: Socket, request: string) => void,
  address = "127.0.0.1",
  port = 0,
  greet: (socket: Socket) => void = () => {},
) {
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy()));
    greet(socket);
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const request = text.slice(0, end);
        text = text.slice(end + 4);
        seen.push(request);
        answer(socket, request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const taken = (server.address() as { port: number }).port;
  return { port: taken, seen, url: `http://${address}:${taken}/`, connections: () => connections };
}

/** A fetcher with 127.0.0.1 open; each call brings its own turn. */
export function openFetch({
  resolve,
  ...more
}: Partial<FetcherSetup> & { resolve?: Resolve } = {}): (
  url: string,
  ask?: Partial<FetchRequest>,
  signal?: AbortSignal,
) => Promise<Fetched> {
  const fetcher = openFetcher({
    ...{ timeout: 3_000, maxBody: 100_000, types: [], perHost: 1, allowPrivate: [], userAgent: undefined, contact: undefined },
    ...{ opened: new PrivateHosts(["127.0.0.1"]), product: "nuthatch/0.0.0" },
    names: new DnsCache(resolve ?? openResolver({ timeout: more.timeout ?? 3_000 })),
    ...more,
  });
  closers.push(() => fetcher.close());
  const never = new AbortController().signal;
  return (url, ask = {}, signal = never) =>
    fetcher.fetch({ url, turn: { host: hostOf(url), spent: false }, accept: "page", ...ask }, signal);
}
