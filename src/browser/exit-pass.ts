import { type Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { type Access, Unreachable, type Way } from "../fetch/index.ts";
import { MAX_HEADER, openAgents } from "./exit-agents.ts";
import { endToEnd, withLines } from "./header-lines.ts";
import type { Inspector, Passing } from "./inspector.ts";
import type { Places } from "./open-places.ts";

/** More than any script or list of a page; what is longer breaks off. */
const MAX_ANSWER = 64 * 1024 ** 2;

export interface PassSetup {
  readonly reach: Way;
  readonly places: Places;
  readonly access: Access | undefined;
  readonly inspector: Inspector | undefined;
}

/** Requests that can be read. They are read and written anew, never copied, so that nothing can hide between two of them. */
export function openPass({ reach, places, access, inspector }: PassSetup) {
  const agents = openAgents(reach, access);

  /** `origin`: of a request that came through a tunnel, which only says its path. */
  const pass = async (asked: IncomingMessage, answer: ServerResponse, origin: string | undefined): Promise<void> => {
    const url = urlOf(asked.url ?? "", origin);
    const hasBody = asked.headers["transfer-encoding"] !== undefined || Number(asked.headers["content-length"] ?? 0) > 0;
    if (url === undefined || asked.method !== "GET" || hasBody) {
      // What comes after it is not read.
      answer.setHeader("connection", "close");
      return refuse(answer, 403);
    }
    const passing: Passing = { url: url.href, method: "GET", header: (name) => one(asked.headers[name]) };
    const decision = inspector?.decide(passing) ?? { kind: "go", more: [] };
    if (decision.kind === "give") {
      const { status, headers, body } = decision.answer;
      return void answer.writeHead(status, [...headers, "Content-Length", String(body.length)]).end(body);
    }
    // Without content a browser stays where it is.
    if (decision.kind === "stop") return refuse(answer, 204);
    const isSecure = url.protocol === "https:";
    const port = Number(url.port) || (isSecure ? 443 : 80);
    if (!(await places.isOpen(`${url.hostname}:${port}`))) return refuse(answer, 403);

    const proxy = isSecure ? undefined : access?.proxyFor({ hostname: url.hostname.replace(/^\[|\]$/g, ""), port, isSecure });
    const path = targetOf(asked.url!, url);
    const proxyLine = proxy?.authorization === undefined ? [] : ["Proxy-Authorization", proxy.authorization];
    const own = ["Host", url.host, ...decision.more, ...proxyLine];
    const options = {
      agent: isSecure ? agents.secure : agents.plain,
      host: url.hostname,
      port,
      path: proxy === undefined ? path : url.origin + path,
      headers: withLines(endToEnd(asked.rawHeaders), own),
      setHost: false,
      maxHeaderSize: MAX_HEADER,
    };
    ask(options, answer, (got) => {
      if (inspector && !inspector.mayShow(passing, got.statusCode ?? 502, got.rawHeaders)) {
        got.destroy();
        return refuse(answer, 204);
      }
      answer.once("close", () => inspector?.ended(passing));
      handOn(got, answer, (bytes) => inspector?.heard(passing, bytes));
    });
  };
  return { pass, close: agents.close };
}

type Options = { readonly agent: Agent; readonly path: string } & Record<string, unknown>;

function ask(options: Options, answer: ServerResponse, onAnswer: (got: IncomingMessage) => void, isSecondTry = false): void {
  const sent = request(options);
  const giveUp = () => sent.destroy();
  answer.once("close", giveUp);
  sent.on("response", onAnswer);
  sent.on("error", (error) => {
    answer.off("close", giveUp);
    // It had closed a connection that was idle; that is no answer.
    if (sent.reusedSocket && !isSecondTry && !answer.headersSent && !answer.destroyed) return ask(options, answer, onAnswer, true);
    refuse(answer, error instanceof Unreachable && error.reason === "private-network" ? 403 : 502);
  });
  sent.end();
}

function refuse(answer: ServerResponse, status: number): void {
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(status, status === 204 ? {} : { "content-length": "0" }).end();
}

function handOn(got: IncomingMessage, answer: ServerResponse, heard: (bytes: number) => void): void {
  try {
    answer.writeHead(got.statusCode ?? 502, got.statusMessage, endToEnd(got.rawHeaders));
  } catch {
    // Headers that cannot be said again.
    got.destroy();
    answer.destroy();
    return;
  }
  let length = 0;
  got.on("data", (chunk: Buffer) => {
    length += chunk.length;
    heard(chunk.length);
    if (length > MAX_ANSWER) got.destroy(new Error("longer than is handed on"));
  });
  // What breaks off there breaks off here: an end would make a part look whole.
  pipeline(got, answer, (error) => error && answer.destroy());
}

/** As it was written, unless that fits no request line. */
function targetOf(written: string, url: URL): string {
  const path = /^(?:http:\/\/[^/?#]*)?(\/[\x21-\x22\x24-\x7e]*)$/i.exec(written)?.[1];
  return path ?? url.pathname + url.search;
}

function urlOf(target: string, origin: string | undefined): URL | undefined {
  if (origin === undefined ? !/^http:\/\//i.test(target) : !target.startsWith("/")) return undefined;
  try {
    return new URL((origin ?? "") + target);
  } catch {
    return undefined;
  }
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
