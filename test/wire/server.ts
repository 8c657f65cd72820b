/** A server of Node's own that serves each combination of the integrity suite as its path says. */
import { createServer as createHttp, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep, setImmediate as turnOfLoop } from "node:timers/promises";
import type { Certificates } from "../certificates.ts";
import { caseAt, contentOf, type Scheme, type Writing } from "./cases.ts";
import { codingNamed } from "./codings.ts";

const PACKET = 1400;

export interface WireServer {
  readonly origin: string;
  /** Paths that were asked for, in turn. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

export interface WireSetup {
  readonly scheme: Scheme;
  readonly address: string;
  readonly certificates: Certificates;
  /** Pages besides those that their paths describe. */
  readonly pages?: Readonly<Record<string, string>>;
}

export async function serveWire({ scheme, address, certificates, pages = {} }: WireSetup): Promise<WireServer> {
  const log: string[] = [];
  const listener: RequestListener = ({ url = "/" }, response) => {
    log.push(url);
    response.setHeader("content-type", "text/html");
    if (url === "/robots.txt") response.writeHead(404).end();
    else if (pages[url] !== undefined) response.end(pages[url]);
    // The client may have left: what it saw is what the tests judge.
    else answer(url, response).catch((error: Error) => response.destroy(error));
  };
  const server = scheme === "http" ? createHttp(listener) : createHttps({ ...certificates, ...versionsOf(scheme) }, listener);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((ready) => server.listen(0, address, 1024, ready));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${scheme === "http" ? "http" : "https"}://${address.includes(":") ? `[${address}]` : address}:${port}`,
    log,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const versionsOf = (scheme: "tls1.2" | "tls1.3") => {
  const version = scheme === "tls1.2" ? "TLSv1.2" : "TLSv1.3";
  return { minVersion: version, maxVersion: version } as const;
};

async function answer(path: string, response: ServerResponse): Promise<void> {
  const { coding, framing, size, writing } = caseAt(path);
  const { header, encode } = codingNamed(coding);
  const body = await encode(contentOf(path, size));
  if (header !== "") response.setHeader("content-encoding", header);
  if (framing === "length") response.setHeader("content-length", body.length);
  // Without a length and without chunks, Node ends the body by closing the connection.
  if (framing === "close") response.removeHeader("transfer-encoding");
  response.flushHeaders();
  await write(response, body, writing);
  response.end();
}

async function write(response: ServerResponse, body: Uint8Array, writing: Writing): Promise<void> {
  if (body.length === 0) return;
  const step = { whole: body.length, packets: PACKET, bytes: 1, pauses: Math.max(1, Math.ceil(body.length / 6)) }[writing];
  for (let at = 0; at < body.length && !response.destroyed; at += step) {
    if (!response.write(body.subarray(at, at + step))) await drained(response);
    // Node joins what is written in one turn of the loop.
    if (writing === "pauses") await sleep(4);
    else await turnOfLoop();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}
