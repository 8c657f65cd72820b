import { Agent, type AgentOptions, type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { type Access, Unreachable, type Way } from "../fetch/index.ts";
import type { Places } from "./open-places.ts";

/** What browsers allow themselves, and what all places together get. */
const PER_PLACE = 6;
const IN_ALL = 64;
const MAX_HEADER = 64 * 1024;
/** More than any script or list of a page; what is longer is cut off, and its reader told so. */
const MAX_ANSWER = 64 * 1024 ** 2;

/** RFC 9110 §7.6.1: for the next one on the way alone. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

class WayAgent extends Agent {
  readonly #reach: Way;
  constructor(reach: Way, options: AgentOptions) {
    super(options);
    this.#reach = reach;
  }
  override createConnection(
    { host, port }: { host?: string | null; port?: number | string | null },
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#reach({ hostname: host ?? "", port: Number(port), isSecure: false }).then(
      (socket) => done(null, socket),
      (error: Error) => done(error, undefined as unknown as Duplex),
    );
  }
}

export interface PassSetup {
  readonly reach: Way;
  readonly places: Places;
  readonly access: Access | undefined;
}

/** Requests in the clear. They are read and written anew, never copied, so that nothing can hide between two of them. */
export function openPass({ reach, places, access }: PassSetup) {
  const agent = new WayAgent(reach, { keepAlive: true, maxSockets: PER_PLACE, maxTotalSockets: IN_ALL, scheduling: "fifo" });

  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const refuse = (status: number) => {
      if (answer.headersSent) return answer.destroy();
      return answer.writeHead(status, { "content-length": "0" }).end();
    };
    const url = urlOf(asked.url ?? "");
    const hasBody = asked.headers["transfer-encoding"] !== undefined || Number(asked.headers["content-length"] ?? 0) > 0;
    if (url?.protocol !== "http:" || asked.method !== "GET" || hasBody) {
      // What comes after it is not read.
      answer.setHeader("connection", "close");
      return void refuse(403);
    }
    const hostname = url.hostname;
    const port = Number(url.port) || 80;
    const place = `${hostname}:${port}`;
    if (!(await places.isOpen(place)) || !places.may(place, { url: url.href, accept: asked.headers.accept ?? "" })) return void refuse(403);

    const proxy = access?.proxyFor({ hostname: hostname.replace(/^\[|\]$/g, ""), port, isSecure: false });
    const path = targetOf(asked.url!, url);
    const headers = ["Host", url.host, ...endToEnd(asked.rawHeaders).filter(notHost)];
    if (proxy?.authorization !== undefined) headers.push("Proxy-Authorization", proxy.authorization);
    const onward = (isSecondTry: boolean): void => {
      const sent = request({
        agent,
        host: hostname,
        port,
        path: proxy === undefined ? path : url.origin + path,
        headers,
        setHost: false,
        maxHeaderSize: MAX_HEADER,
      });
      const giveUp = () => sent.destroy();
      answer.once("close", giveUp);
      sent.on("response", (got) => handOn(got, answer, sent));
      sent.on("error", (error) => {
        answer.off("close", giveUp);
        // It had closed a connection that was idle; that is no answer.
        if (sent.reusedSocket && !isSecondTry && !answer.headersSent && !answer.destroyed) return onward(true);
        refuse(error instanceof Unreachable && error.reason === "private-network" ? 403 : 502);
      });
      sent.end();
    };
    onward(false);
  };
  return { pass, close: () => agent.destroy() };
}

function handOn(got: IncomingMessage, answer: ServerResponse, sent: ClientRequest): void {
  try {
    answer.writeHead(got.statusCode ?? 502, got.statusMessage, endToEnd(got.rawHeaders));
  } catch {
    // Headers that cannot be said again.
    answer.destroy();
    sent.destroy();
    return;
  }
  let length = 0;
  got.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_ANSWER) got.destroy(new Error("too long"));
  });
  // What breaks off there breaks off here: an end would make a part look whole.
  pipeline(got, answer, (error) => error && answer.destroy());
}

/** As it was written, unless that fits no request line. */
function targetOf(written: string, url: URL): string {
  const path = /^http:\/\/[^/?#]*(\/[\x21-\x22\x24-\x7e]*)$/i.exec(written)?.[1];
  return path ?? url.pathname + url.search;
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function endToEnd(raw: readonly string[]): string[] {
  const pairs = raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1]!]] : []));
  const named = pairs.filter(([name]) => name.toLowerCase() === "connection").flatMap(([, value]) => value.toLowerCase().split(","));
  const dropped = new Set([...hopByHop, ...named.map((name) => name.trim())]);
  // What a browser would need to read the body stays, whoever names it.
  dropped.delete("content-length");
  dropped.delete("content-encoding");
  dropped.delete("content-type");
  return pairs.flatMap(([name, value]) => (dropped.has(name.toLowerCase()) ? [] : [name, value]));
}

const notHost = (text: string, at: number, all: readonly string[]) => (at % 2 === 0 ? text : all[at - 1]!).toLowerCase() !== "host";
