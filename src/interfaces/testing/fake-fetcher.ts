import type { Clock } from "../../core/clock.ts";
import type { Fetched } from "../../core/records.ts";
import { VERSION } from "../../core/version.ts";
import type { Config } from "../../engine/config/index.ts";
import {
  type Answer,
  bodyAnswer,
  classifyHead,
  type Fetcher,
  type FetchRequest,
  makeFailure,
  markTurnSpent,
  readableTypes,
  readHead,
  utf8AsLatin1,
} from "../../engine/fetch/index.ts";

/** An answer in detail; missing fields have their usual values. */
export interface FakeAnswer {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
  /** Milliseconds of virtual time until the answer arrives. */
  readonly delay?: number | undefined;
}

/** HTML, a detailed answer, or a function of the number of requests for this URL so far (1 for the first). */
export type FakePage = string | FakeAnswer | ((hit: number) => string | FakeAnswer);

/** A request received by the site. */
export interface FakeRequest {
  readonly url: string;
  /** Path and query. */
  readonly path: string;
  /** Milliseconds of virtual time since the site was created. */
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

export interface FakeWeb {
  /** The page at a URL; undefined for a host that does not exist. */
  find(url: string): FakePage | undefined;
  readonly clock: Clock;
  readonly requests: FakeRequest[];
  /** Number of requests for each URL. */
  readonly hits: Map<string, number>;
}

interface FakeReply {
  readonly answer: Answer;
  readonly status: number;
  readonly delay: number;
}

/** Answers as the real fetcher does: it spends the turn, and the same code judges status, type and validators. */
export function openFakeFetcher({ find, clock, requests, hits }: FakeWeb, config: Config): Fetcher {
  const types = readableTypes(config.types);
  const agent = config.userAgent ?? `nuthatch/${VERSION}${config.contact === undefined ? "" : ` (+${config.contact})`}`;

  function answerTo(ask: FetchRequest, page: FakePage): FakeReply {
    const hit = (hits.get(ask.url) ?? 0) + 1;
    hits.set(ask.url, hit);
    const spec = typeof page === "function" ? page(hit) : page;
    const { status: givenStatus = 200, headers = {}, body = "", delay = 0 } = typeof spec === "string" ? { body: spec } : spec;
    const sent = { "content-type": guessType(ask.url), ...lowerCaseNames(headers) };
    const head = readHead(rawHeaders(sent));
    const isKnown = givenStatus === 200 && head.etag !== undefined && head.etag === ask.etag;
    const status = isKnown ? 304 : givenStatus;
    const bytes = Buffer.from(body as string);
    ask.onHead?.(status, Object.entries(sent));
    if (bytes.length > config.maxBody && ask.accept === "page") {
      const rule = `larger than ${config.maxBody} bytes`;
      return { answer: { kind: "refused", by: "size", reason: "size", rule, status, retryAfter: undefined }, status, delay };
    }
    const answer = classifyHead(status, head, ask, types, clock.wall()) ?? bodyAnswer(status, head, new Uint8Array(bytes), bytes.length);
    return { answer, status, delay };
  }

  return {
    async fetch(ask, signal): Promise<Fetched> {
      signal.throwIfAborted();
      markTurnSpent(ask);
      const [at, startedAt] = [clock.now(), clock.wall()];
      const page = find(ask.url);
      const { hostname, pathname, search } = new URL(ask.url);
      if (page === undefined) {
        const unknown = makeFailure("dns", `${hostname} is not part of this site`, { hostFault: true });
        return { ...unknown, timing: { startedAt, duration: 0 } };
      }
      const { answer, status, delay } = answerTo(ask, page);
      requests.push({ url: ask.url, path: pathname + search, at, headers: requestHeaders(ask, agent), status });
      if (delay > 0) await new Promise<void>((resolve) => clock.after(delay, resolve));
      signal.throwIfAborted();
      return { ...answer, timing: { startedAt, duration: clock.now() - at } };
    },
    close: async () => undefined,
  };
}

/** Content type guessed from the file name, as a server does. */
function guessType(url: string): string {
  const path = new URL(url).pathname;
  if (path.endsWith(".txt")) return "text/plain; charset=utf-8";
  if (path.endsWith(".xml")) return "application/xml";
  return path.endsWith(".md") ? "text/markdown" : "text/html; charset=utf-8";
}

const lowerCaseNames = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const rawHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name, utf8AsLatin1(value)]);

function requestHeaders({ etag, lastModified, headers }: FetchRequest, agent: string): Record<string, string> {
  return {
    "user-agent": agent,
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
    ...headers,
  };
}
