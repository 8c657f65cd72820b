import { hostOf, type Parts, partsOf } from "../../analysis/url/index.ts";
import type { Fetched, Timing } from "../../core/records.ts";
import { abortCallbacksOf } from "./abort-callbacks.ts";
import { type Access, type Credentials, credentialHeaders } from "./access.ts";
import { type Answer, classifyHead, readableTypes } from "./answer.ts";
import { acceptEncoding } from "./codings.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { Deadlines } from "./deadlines.ts";
import type { DnsLookup } from "./dns-cache.ts";
import { type ExchangeSetup, exchange } from "./exchange.ts";
import { classifyError, makeFailure, throwIfLocalFailure, unresolvedError } from "./failure.ts";
import type { FetchRequest } from "./fetch-request.ts";
import { isSendable } from "./head.ts";
import { canonicalHost } from "./hostname.ts";
import { KeyedLimiter } from "./keyed-limiter.ts";
import { MemoryBudget } from "./memory-budget.ts";
import type { Destination } from "./open-socket.ts";
import type { AccessOption, FetchOptions } from "./options.ts";
import type { PrivateHostCheck } from "./private-hosts.ts";
import type { ProxyServer } from "./proxy.ts";
import { requestText } from "./raw-exchange.ts";
import { proxyLoginError } from "./tunnel.ts";
import { maySetHeader } from "./user-header.ts";

export interface Fetcher {
  /** Every behaviour of a server is a value. Rejects only with the signal's reason, or for an error of ours. */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<Fetched>;
  close(): Promise<void>;
}

export interface FetcherSetup extends Omit<FetchOptions, AccessOption> {
  readonly opened: PrivateHostCheck;
  readonly names: DnsLookup;
  /** Name and version, such as `nuthatch/0.1.0`. */
  readonly product: string;
  /** Credentials and proxy, if the user gave any. */
  readonly access?: Access | undefined;
}

/** What is known of an origin before a request. */
interface OriginInfo extends Destination {
  /** The value of the Host header. */
  readonly host: string;
  readonly credentials: Credentials | undefined;
}

const MIB = 1024 ** 2;
/** RFC 9309 §2.5: at least 500 KiB of robots.txt must be read. */
const MAX_ROBOTS_BYTES = 512 * 1024;
/** sitemaps.org: 50 MB uncompressed. */
const MAX_SITEMAP_BYTES = 50 * MIB;
/** For all bodies larger than a megabyte together. */
const MAX_LARGE_BODY_BYTES = 128 * MIB;
/** The longest delay of Node's timers. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** One server may have thousands of names; this limits the concurrent requests to its address. */
const MAX_PER_ADDRESS = 8;
/** Number of origins for which this is cached. */
const MAX_CACHED_ORIGINS = 10_000;

const acceptHeaders: Record<FetchRequest["accept"], string> = {
  page: "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.9, application/xml;q=0.9, */*;q=0.1",
  sitemap: "application/xml, text/xml, text/plain;q=0.9, */*;q=0.5",
  robots: "text/plain, */*;q=0.5",
};

export function openFetcher(setup: FetcherSetup): Fetcher {
  const timeout = Math.min(setup.timeout, MAX_TIMEOUT_MS);
  const { names } = setup;
  const userAgent = setup.userAgent ?? (setup.contact === undefined ? setup.product : `${setup.product} (+${setup.contact})`);
  if (!isSendable(userAgent)) throw new Error("the user agent does not fit a header line");
  const types = readableTypes(setup.types);
  const maxBytes: Record<FetchRequest["accept"], number> = { page: setup.maxBody, sitemap: MAX_SITEMAP_BYTES, robots: MAX_ROBOTS_BYTES };
  const connections = new ConnectionPool({ names, opened: setup.opened, timeout, trust: setup.access?.trust });
  const budget = new MemoryBudget(MAX_LARGE_BODY_BYTES);
  const deadlines = new Deadlines(timeout);
  const perOrigin = new KeyedLimiter(setup.perHost);
  const perAddress = new KeyedLimiter(Math.max(setup.perHost, MAX_PER_ADDRESS));

  const originInfos = new Map<string, OriginInfo>();
  const originInfoOf = (origin: string): OriginInfo => {
    let originInfo = originInfos.get(origin);
    if (originInfo !== undefined) return originInfo;
    const destination = destinationOf(origin);
    originInfo = {
      ...destination,
      host: new URL(origin).host,
      proxy: setup.access?.proxyFor(destination),
      credentials: setup.access?.credentialsFor(origin),
    };
    if (originInfos.size >= MAX_CACHED_ORIGINS) originInfos.clear();
    originInfos.set(origin, originInfo);
    return originInfo;
  };

  const exchangeSetupFor = (request: FetchRequest, url: Parts, { host, proxy, isSecure, credentials }: OriginInfo): ExchangeSetup => {
    // RFC 9112 §3.2.2: a proxy gets the whole URL, unless it only tunnels TLS.
    const path = proxy === undefined || isSecure ? url.path + url.query : url.origin + url.path + url.query;
    const own = crawlerHeaders(request, userAgent);
    const headers = withUserHeaders(own, request, url.path, credentials, isSecure ? undefined : proxy);
    // A valid URL has no spaces or line breaks; they would inject text into the request.
    if (/[^\x21-\x7e]/.test(path)) throw new Error(`${request.url} is not written as a URL is`);
    return {
      path,
      headers,
      classifyHead: (status, head) =>
        status === 407 && proxy !== undefined && !isSecure
          ? classifyError(proxyLoginError(proxy), "headers", undefined, false)
          : classifyHead(status, head, request, types, Date.now()),
      onHead: request.onHead,
      record: request.onWire && {
        request: { text: requestText(path, host, own), isPrivate: headers.length > own.length },
        onRecorded: request.onWire,
      },
      maxBytes: Math.min(maxBytes[request.accept], request.enough ?? Number.POSITIVE_INFINITY),
      mayCut: request.accept === "robots" || request.enough !== undefined,
      deadlines,
      budget,
      isStillOurs: request.turn.isStillOurs,
    };
  };

  return {
    async fetch(request, signal) {
      signal.throwIfAborted();
      markTurnSpent(request);
      let timing = startTiming();
      const url = partsOf(request.url);
      if (!url) return Object.assign(wrongScheme(new URL(request.url)), timing());
      const { origin } = url;
      const originInfo = originInfoOf(origin);
      // Behind a proxy only the name of the server is known.
      const address =
        originInfo.proxy !== undefined
          ? originInfo.hostname
          : (names.cached(originInfo.hostname)?.[0] ?? (await resolveFirstAddress(names, originInfo.hostname, timeout, signal)));
      if (typeof address !== "string") return Object.assign(throwIfLocalFailure(address), timing());
      await perOrigin.acquire(origin, signal);
      try {
        await perAddress.acquire(address, signal);
        try {
          signal.throwIfAborted();
          // Waiting for other requests is not part of the host's response time.
          timing = startTiming();
          const connection = connections.acquire(origin, originInfo);
          try {
            return Object.assign(
              throwIfLocalFailure(await exchange(connection, exchangeSetupFor(request, url, originInfo), signal)),
              timing(),
            );
          } finally {
            connections.release(connection);
          }
        } finally {
          perAddress.release(address);
        }
      } finally {
        perOrigin.release(origin);
      }
    },
    async close() {
      connections.close();
    },
  };
}

/** One turn, one request. A request without a turn would be impolite, so it throws. */
export function markTurnSpent(request: FetchRequest): void {
  if (request.turn.spent) throw new Error(`the turn for ${request.turn.host} is spent`);
  if (request.turn.host !== hostOf(request.url)) throw new Error(`a turn for ${request.turn.host} does not serve ${request.url}`);
  request.turn.spent = true;
}

function startTiming(): () => { timing: Timing } {
  const startedAt = Date.now();
  const start = performance.now();
  return () => ({ timing: { startedAt, duration: performance.now() - start } });
}

function destinationOf(origin: string): Destination {
  const { protocol, hostname, port } = new URL(origin);
  const isSecure = protocol === "https:";
  return { hostname: canonicalHost(hostname), port: Number(port) || (isSecure ? 443 : 80), isSecure };
}

function wrongScheme(url: URL): Answer {
  return {
    kind: "refused",
    by: "guard",
    reason: "scheme",
    rule: `${url.protocol} is not fetched`,
    status: undefined,
    retryAfter: undefined,
  };
}

/**
 * Apache's mod_deflate and mod_brotli add the coding to the ETag of compressed responses, and then do not recognise that tag: unless the
 * bare tag is sent as well, there is never a 304 (https://bz.apache.org/bugzilla/show_bug.cgi?id=45023).
 */
function withPlainTag(etag: string): string {
  const [, weak = "", bare] = /^(W\/)?"(.+?)-{1,2}(?:gzip|br|deflate|zstd)"$/.exec(etag) ?? [];
  return bare === undefined ? etag : `${etag}, ${weak}"${bare}"`;
}

function crawlerHeaders({ accept, etag, lastModified }: FetchRequest, userAgent: string): string[] {
  const headers = ["user-agent", userAgent, "accept", acceptHeaders[accept], "accept-encoding", acceptEncoding];
  if (etag !== undefined && isSendable(etag)) headers.push("if-none-match", withPlainTag(etag));
  if (lastModified !== undefined && isSendable(lastModified)) headers.push("if-modified-since", lastModified);
  return headers;
}

/** No Referer, and no cookies but those given for this origin: a page does not learn how it was found. */
function withUserHeaders(
  own: string[],
  request: FetchRequest,
  path: string,
  credentials: Credentials | undefined,
  proxy: ProxyServer | undefined,
): string[] {
  if (credentials === undefined && proxy?.authorization === undefined && request.headers === undefined) return own;
  const headers = [...own];
  if (credentials !== undefined) headers.push(...credentialHeaders(credentials, path, Date.now()));
  if (proxy?.authorization !== undefined) headers.push("proxy-authorization", proxy.authorization);
  if (request.headers !== undefined) addMissing(headers, request.headers);
  return headers;
}

/** Headers given for the origin override those of a single request. */
function addMissing(headers: string[], requestHeaders: Readonly<Record<string, string>>): void {
  const known = new Set(headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(requestHeaders))
    if (maySetHeader(name) && isSendable(value) && !known.has(name.toLowerCase())) headers.push(name, value);
}

/** The address whose limit this request counts against. If the name cannot be resolved in time, returns that failure. */
function resolveFirstAddress(names: DnsLookup, hostname: string, timeout: number, signal: AbortSignal): Promise<string | Answer> {
  return new Promise((resolve, reject) => {
    const finish = (answer: string | Answer) => {
      clearTimeout(timer);
      abortCallbacksOf(signal).delete(onAbort);
      resolve(answer);
    };
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => finish(makeFailure("dns", `${hostname} was not resolved in time`, { hostFault: true })), timeout);
    abortCallbacksOf(signal).add(onAbort);
    names.find(hostname).then(
      (addresses) => finish(addresses[0]!),
      (error: Error) => finish(classifyError(unresolvedError(hostname, error), "connect", undefined, false)),
    );
  });
}
