import { type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { type Access, needsUser, Slots, Unreachable, type Way } from "../fetch/index.ts";
import { IN_ALL, MAX_HEADER, openAgents, PER_PLACE } from "./exit-agents.ts";
import { endToEnd, withLines } from "./header-lines.ts";
import type { Inspector, Passing } from "./inspector.ts";
import type { Places } from "./open-places.ts";

/** Larger than any script or list of a page; longer responses are aborted. */
const MAX_ANSWER = 64 * 1024 ** 2;

export interface PassSetup {
  readonly reach: Way;
  readonly places: Places;
  readonly access: Access | undefined;
  readonly inspector: Inspector | undefined;
}

/**
 * Forwards requests that can be read (not encrypted). They are parsed and written anew, never copied, which rules out request smuggling.
 */
export function openPass({ reach, places, access, inspector }: PassSetup) {
  const agents = openAgents(reach, access);
  const perPlace = new Slots(PER_PLACE);
  const inAll = new Slots(IN_ALL);
  const forever = new AbortController().signal;
  let passed = 0;

  /** `origin`: for a request from a tunnel, which contains only its path. */
  const pass = async (asked: IncomingMessage, answer: ServerResponse, origin: string | undefined): Promise<void> => {
    const url = urlOf(asked.url ?? "", origin);
    const hasBody = asked.headers["transfer-encoding"] !== undefined || Number(asked.headers["content-length"] ?? 0) > 0;
    if (url === undefined || asked.method !== "GET" || hasBody || isAhead(asked)) {
      // Any further data on this connection is not read.
      answer.setHeader("connection", "close");
      return refuse(answer, 403);
    }
    passed += 1;
    const passing: Passing = { id: String(passed), url: url.href, header: (name) => one(asked.headers[name]) };
    const decision = inspector?.decide(passing) ?? { kind: "go", more: [] };
    // With status 204 a browser stays on the current page.
    if (decision.kind === "stop") return refuse(answer, 204);
    if (decision.kind === "give") {
      const { status, headers, body } = decision;
      return void answer.writeHead(status, [...headers, "Content-Length", String(body.length)]).end(body);
    }
    answer.once("close", () => inspector?.ended(passing, answer.writableFinished));
    const isSecure = url.protocol === "https:";
    const port = Number(url.port) || (isSecure ? 443 : 80);
    const place = `${url.hostname}:${port}`;
    // Requests seen by an inspector have been permitted already. Others may be the browser's own, so the exact URL must be open.
    if (!(await places.isOpen(inspector ? place : url.href))) return refuse(answer, 403);
    // Node counts a connection only when it is established, so pending ones are counted here.
    await perPlace.take(place, forever);
    await inAll.take("", forever);
    const giveBack = () => {
      perPlace.give(place);
      inAll.give("");
    };
    if (answer.destroyed) return giveBack();
    answer.once("close", giveBack);

    const proxy = isSecure ? undefined : access?.proxyFor({ hostname: url.hostname.replace(/^\[|\]$/g, ""), port, isSecure });
    const path = targetOf(asked.url!, url);
    const forProxy = proxy?.authorization === undefined ? [] : ["Proxy-Authorization", proxy.authorization];
    ask({
      options: {
        agent: isSecure ? agents.secure : agents.plain,
        host: url.hostname,
        port,
        path: proxy === undefined ? path : url.origin + path,
        headers: withLines(endToEnd(asked.rawHeaders), ["Host", url.host, ...decision.more, ...forProxy]),
        setHost: false,
        maxHeaderSize: MAX_HEADER,
      },
      answer,
      onTrouble: (trouble) => places.setTrouble(place, trouble),
      onAnswer(got) {
        // A 407 comes from the proxy and is meant for us, not for the browser.
        if (got.statusCode === 407 && proxy !== undefined) {
          got.destroy();
          places.setTrouble(place, needsUser(proxy));
          return refuse(answer, 502);
        }
        const lines = endToEnd(got.rawHeaders);
        const shown = inspector ? inspector.answered(passing, got.statusCode ?? 502, lines) : lines;
        if (shown !== undefined) return handOn(got, answer, shown, (part) => inspector?.heard(passing, part));
        got.destroy();
        refuse(answer, 204);
      },
    });
  };
  return { pass, close: agents.close };
}

interface Errand {
  readonly options: RequestOptions;
  readonly answer: ServerResponse;
  readonly onTrouble: (trouble: Unreachable) => void;
  readonly onAnswer: (got: IncomingMessage) => void;
}

function ask(errand: Errand, isSecondTry = false): void {
  const { options, answer, onTrouble, onAnswer } = errand;
  const sent = request(options);
  const giveUp = () => sent.destroy();
  answer.once("close", giveUp);
  sent.on("response", onAnswer);
  sent.on("error", (error) => {
    answer.off("close", giveUp);
    // The server had closed an idle connection, so the request is repeated once.
    if (sent.reusedSocket && !isSecondTry && !answer.headersSent && !answer.destroyed) return ask(errand, true);
    if (error instanceof Unreachable) onTrouble(error);
    refuse(answer, error instanceof Unreachable && error.reason === "private-network" ? 403 : 502);
  });
  sent.end();
}

function refuse(answer: ServerResponse, status: number): void {
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(status, status === 204 ? {} : { "content-length": "0" }).end();
}

function handOn(got: IncomingMessage, answer: ServerResponse, lines: readonly string[], heard: (part: Uint8Array) => void): void {
  try {
    answer.writeHead(got.statusCode ?? 502, got.statusMessage, [...lines]);
  } catch {
    // The headers cannot be written again, for instance because of invalid characters.
    got.destroy();
    answer.destroy();
    return;
  }
  let length = 0;
  got.on("data", (chunk: Buffer) => {
    length += chunk.length;
    heard(chunk);
    if (length > MAX_ANSWER) got.destroy(new Error("longer than is handed on"));
  });
  // An aborted response must also be aborted here: a normal end would make a part look complete.
  pipeline(got, answer, (error) => error && answer.destroy());
}

/** The path as written, unless it is not valid in a request line. */
function targetOf(written: string, url: URL): string {
  const path = /^(?:http:\/\/[^/?#]*)?(\/[\x21-\x22\x24-\x7e]*)$/i.exec(written)?.[1];
  return path ?? url.pathname + url.search;
}

function urlOf(target: string, origin: string | undefined): URL | undefined {
  if (origin === undefined ? !/^http:\/\//i.test(target) : !target.startsWith("/")) return undefined;
  try {
    const url = new URL((origin ?? "") + target);
    url.hash = "";
    return url;
  } catch {
    return undefined;
  }
}

/** Prefetches, for pages that nobody has navigated to yet. */
const isAhead = ({ headers }: IncomingMessage): boolean =>
  /prefetch|prerender/i.test(String([headers["sec-purpose"], headers.purpose, headers["x-moz"]]));

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
