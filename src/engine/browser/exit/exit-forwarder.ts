import { type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { type Access, type Connector, KeyedLimiter, proxyLoginError, UnreachableError } from "../../fetch/index.ts";
import { endToEnd, withHeaderLines } from "../header-lines.ts";
import type { Inspector, ProxiedRequest } from "../inspector.ts";
import { MAX_CONNECTIONS, MAX_HEADER_BYTES, MAX_PER_HOST, openAgents } from "./exit-agents.ts";
import type { OpenHosts } from "./open-hosts.ts";

/** Larger than any script or list of a page; longer responses are aborted. */
const MAX_RESPONSE_BYTES = 64 * 1024 ** 2;

export interface ForwarderSetup {
  readonly connector: Connector;
  readonly openHosts: OpenHosts;
  readonly access: Access | undefined;
  readonly inspector: Inspector | undefined;
}

/**
 * Forwards requests that can be read (not encrypted). They are parsed and written anew, never copied, which rules out request smuggling.
 */
export function openForwarder({ connector, openHosts, access, inspector }: ForwarderSetup) {
  const agents = openAgents(connector, access);
  const perPlace = new KeyedLimiter(MAX_PER_HOST);
  const overall = new KeyedLimiter(MAX_CONNECTIONS);
  const neverAborted = new AbortController().signal;
  let requestCount = 0;

  /** `origin`: for a request from a tunnel, which contains only its path. */
  const forward = async (incoming: IncomingMessage, response: ServerResponse, origin: string | undefined): Promise<void> => {
    const url = parseTarget(incoming.url ?? "", origin);
    const hasBody = incoming.headers["transfer-encoding"] !== undefined || Number(incoming.headers["content-length"] ?? 0) > 0;
    if (url === undefined || incoming.method !== "GET" || hasBody || isPrefetch(incoming)) {
      // Any further data on this connection is not read.
      response.setHeader("connection", "close");
      return refuse(response, 403);
    }
    requestCount += 1;
    const proxied: ProxiedRequest = { id: String(requestCount), url: url.href, header: (name) => firstValue(incoming.headers[name]) };
    const decision = inspector?.decide(proxied) ?? { kind: "go", more: [] };
    // With status 204 a browser stays on the current page.
    if (decision.kind === "stop") return refuse(response, 204);
    if (decision.kind === "give") {
      const { status, headers, body } = decision;
      return void response.writeHead(status, [...headers, "Content-Length", String(body.length)]).end(body);
    }
    response.once("close", () => inspector?.onEnd(proxied, response.writableFinished));
    const isSecure = url.protocol === "https:";
    const port = Number(url.port) || (isSecure ? 443 : 80);
    const hostAndPort = `${url.hostname}:${port}`;
    // Requests seen by an inspector have been permitted already. Others may be the browser's own, so the exact URL must be open.
    if (!(await openHosts.isOpen(inspector ? hostAndPort : url.href))) return refuse(response, 403);
    // Node counts a connection only when it is established, so pending ones are counted here.
    await perPlace.acquire(hostAndPort, neverAborted);
    await overall.acquire("", neverAborted);
    const release = () => {
      perPlace.release(hostAndPort);
      overall.release("");
    };
    if (response.destroyed) return release();
    response.once("close", release);

    const proxy = isSecure ? undefined : access?.proxyFor({ hostname: url.hostname.replace(/^\[|\]$/g, ""), port, isSecure });
    const path = requestPath(incoming.url!, url);
    const forProxy = proxy?.authorization === undefined ? [] : ["Proxy-Authorization", proxy.authorization];
    sendRequest({
      options: {
        agent: isSecure ? agents.secure : agents.plain,
        host: url.hostname,
        port,
        path: proxy === undefined ? path : url.origin + path,
        headers: withHeaderLines(endToEnd(incoming.rawHeaders), ["Host", url.host, ...decision.more, ...forProxy]),
        setHost: false,
        maxHeaderSize: MAX_HEADER_BYTES,
      },
      response,
      onError: (error) => openHosts.setError(hostAndPort, error),
      onResponse(upstream) {
        // A 407 comes from the proxy and is meant for us, not for the browser.
        if (upstream.statusCode === 407 && proxy !== undefined) {
          upstream.destroy();
          openHosts.setError(hostAndPort, proxyLoginError(proxy));
          return refuse(response, 502);
        }
        const lines = endToEnd(upstream.rawHeaders);
        const headersToForward = inspector ? inspector.onResponse(proxied, upstream.statusCode ?? 502, lines) : lines;
        if (headersToForward !== undefined)
          return forwardResponse(upstream, response, headersToForward, (part) => inspector?.onData(proxied, part));
        upstream.destroy();
        refuse(response, 204);
      },
    });
  };
  return { forward, close: agents.close };
}

interface OutgoingRequest {
  readonly options: RequestOptions;
  readonly response: ServerResponse;
  readonly onError: (error: UnreachableError) => void;
  readonly onResponse: (upstream: IncomingMessage) => void;
}

function sendRequest(outgoing: OutgoingRequest, isRetry = false): void {
  const { options, response, onError, onResponse } = outgoing;
  const sent = request(options);
  const abort = () => sent.destroy();
  response.once("close", abort);
  sent.on("response", onResponse);
  sent.on("error", (error) => {
    response.off("close", abort);
    // The server had closed an idle connection, so the request is repeated once.
    if (sent.reusedSocket && !isRetry && !response.headersSent && !response.destroyed) return sendRequest(outgoing, true);
    if (error instanceof UnreachableError) onError(error);
    refuse(response, error instanceof UnreachableError && error.reason === "private-network" ? 403 : 502);
  });
  sent.end();
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, status === 204 ? {} : { "content-length": "0" }).end();
}

function forwardResponse(
  upstream: IncomingMessage,
  response: ServerResponse,
  lines: readonly string[],
  onData: (part: Uint8Array) => void,
): void {
  try {
    response.writeHead(upstream.statusCode ?? 502, upstream.statusMessage, [...lines]);
  } catch {
    // The headers cannot be written again, for instance because of invalid characters.
    upstream.destroy();
    response.destroy();
    return;
  }
  let length = 0;
  upstream.on("data", (chunk: Buffer) => {
    length += chunk.length;
    onData(chunk);
    if (length > MAX_RESPONSE_BYTES) upstream.destroy(new Error("longer than is handed on"));
  });
  // An aborted response must also be aborted here: a normal end would make a part look complete.
  pipeline(upstream, response, (error) => error && response.destroy());
}

/** The path as written, unless it is not valid in a request line. */
function requestPath(written: string, url: URL): string {
  const path = /^(?:http:\/\/[^/?#]*)?(\/[\x21-\x22\x24-\x7e]*)$/i.exec(written)?.[1];
  return path ?? url.pathname + url.search;
}

function parseTarget(target: string, origin: string | undefined): URL | undefined {
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
const isPrefetch = ({ headers }: IncomingMessage): boolean =>
  /prefetch|prerender/i.test(String([headers["sec-purpose"], headers.purpose, headers["x-moz"]]));

const firstValue = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
