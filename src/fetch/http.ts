import type { Fetched, Timing } from "../records.ts";
import { hostOf, type Parts, partsOf } from "../url/index.ts";
import { type Access, type Credentials, sentAlong } from "./access.ts";
import { type Answer, judge, readableTypes } from "./answer.ts";
import type { Ask } from "./ask.ts";
import { Budget } from "./budget.ts";
import { acceptEncoding } from "./codings.ts";
import { Connections } from "./connections.ts";
import { Deadlines } from "./deadlines.ts";
import type { Place } from "./dial.ts";
import { type Errand, exchange } from "./exchange.ts";
import { classify, failed, unlessOurs, unresolved } from "./failure.ts";
import { mayBeGiven } from "./given-header.ts";
import { isSendable } from "./head.ts";
import { plainHost } from "./hostname.ts";
import type { NameFinder } from "./names.ts";
import type { Opened } from "./openings.ts";
import type { AccessOption, FetchOptions } from "./options.ts";
import type { ProxyServer } from "./proxy.ts";
import { Slots } from "./slots.ts";
import { stopsOf } from "./stops.ts";
import { needsUser } from "./tunnel.ts";
import { requestText } from "./wire.ts";

export interface Fetcher {
  /** Every behaviour of a server is a value. Rejects only with the signal's reason, or for an error of ours. */
  fetch(ask: Ask, signal: AbortSignal): Promise<Fetched>;
  close(): Promise<void>;
}

export interface FetcherSetup extends Omit<FetchOptions, AccessOption> {
  readonly opened: Opened;
  readonly names: NameFinder;
  /** Name and version, such as `nuthatch/0.1.0`. */
  readonly product: string;
  /** Credentials and proxy, if the user gave any. */
  readonly access?: Access | undefined;
}

/** What is known of an origin before a request. */
interface Door extends Place {
  /** The value of the Host header. */
  readonly host: string;
  readonly credentials: Credentials | undefined;
}

const MIB = 1024 ** 2;
/** RFC 9309 §2.5: at least 500 KiB of robots.txt must be read. */
const ROBOTS_CAP = 512 * 1024;
/** sitemaps.org: 50 MB uncompressed. */
const SITEMAP_CAP = 50 * MIB;
/** For all bodies larger than a megabyte together. */
const LARGE_BODIES = 128 * MIB;
/** The longest delay of Node's timers. */
const MAX_TIMEOUT = 2 ** 31 - 1;
/** One server may have thousands of names; this limits the concurrent requests to its address. */
const PER_ADDRESS = 8;
/** Number of origins for which this is cached. */
const MAX_DOORS = 10_000;

const accepts: Record<Ask["accept"], string> = {
  page: "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.9, application/xml;q=0.9, */*;q=0.1",
  sitemap: "application/xml, text/xml, text/plain;q=0.9, */*;q=0.5",
  robots: "text/plain, */*;q=0.5",
};

export function openFetcher(setup: FetcherSetup): Fetcher {
  const timeout = Math.min(setup.timeout, MAX_TIMEOUT);
  const { names } = setup;
  const userAgent = setup.userAgent ?? (setup.contact === undefined ? setup.product : `${setup.product} (+${setup.contact})`);
  if (!isSendable(userAgent)) throw new Error("the user agent does not fit a header line");
  const types = readableTypes(setup.types);
  const caps: Record<Ask["accept"], number> = { page: setup.maxBody, sitemap: SITEMAP_CAP, robots: ROBOTS_CAP };
  const connections = new Connections({ names, opened: setup.opened, timeout, trust: setup.access?.trust });
  const budget = new Budget(LARGE_BODIES);
  const deadlines = new Deadlines(timeout);
  const perOrigin = new Slots(setup.perHost);
  const perAddress = new Slots(Math.max(setup.perHost, PER_ADDRESS));

  const doors = new Map<string, Door>();
  const doorAt = (origin: string): Door => {
    let door = doors.get(origin);
    if (door !== undefined) return door;
    const place = placeOf(origin);
    door = {
      ...place,
      host: new URL(origin).host,
      proxy: setup.access?.proxyFor(place),
      credentials: setup.access?.credentialsFor(origin),
    };
    if (doors.size >= MAX_DOORS) doors.clear();
    doors.set(origin, door);
    return door;
  };

  const errandFor = (ask: Ask, url: Parts, { host, proxy, isSecure, credentials }: Door): Errand => {
    // RFC 9112 §3.2.2: a proxy gets the whole URL, unless it only tunnels TLS.
    const path = proxy === undefined || isSecure ? url.path + url.query : url.origin + url.path + url.query;
    const own = ownHeaders(ask, userAgent);
    const headers = withGiven(own, ask, url.path, credentials, isSecure ? undefined : proxy);
    // A valid URL has no spaces or line breaks; they would inject text into the request.
    if (/[^\x21-\x7e]/.test(path)) throw new Error(`${ask.url} is not written as a URL is`);
    return {
      path,
      headers,
      judge: (status, head) =>
        status === 407 && proxy !== undefined && !isSecure
          ? classify(needsUser(proxy), "headers", undefined, false)
          : judge(status, head, ask, types, Date.now()),
      onHead: ask.onHead,
      record: ask.onWire && { request: { text: requestText(path, host, own), isPrivate: headers.length > own.length }, tell: ask.onWire },
      cap: Math.min(caps[ask.accept], ask.enough ?? Number.POSITIVE_INFINITY),
      mayCut: ask.accept === "robots" || ask.enough !== undefined,
      deadlines,
      budget,
      isStillOurs: ask.turn.isStillOurs,
    };
  };

  return {
    async fetch(ask, signal) {
      signal.throwIfAborted();
      spend(ask);
      let timing = startTiming();
      const url = partsOf(ask.url);
      if (!url) return Object.assign(wrongScheme(new URL(ask.url)), timing());
      const { origin } = url;
      const door = doorAt(origin);
      // Behind a proxy only the name of the server is known.
      const address =
        door.proxy !== undefined
          ? door.hostname
          : (names.known(door.hostname)?.[0] ?? (await firstAddress(names, door.hostname, timeout, signal)));
      if (typeof address !== "string") return Object.assign(unlessOurs(address), timing());
      await perOrigin.take(origin, signal);
      try {
        await perAddress.take(address, signal);
        try {
          signal.throwIfAborted();
          // Waiting for other requests is not part of the host's response time.
          timing = startTiming();
          const connection = connections.take(origin, door);
          try {
            return Object.assign(unlessOurs(await exchange(connection, errandFor(ask, url, door), signal)), timing());
          } finally {
            connections.give(connection);
          }
        } finally {
          perAddress.give(address);
        }
      } finally {
        perOrigin.give(origin);
      }
    },
    async close() {
      connections.close();
    },
  };
}

/** One turn, one request. A request without a turn would be impolite, so it throws. */
export function spend(ask: Ask): void {
  if (ask.turn.spent) throw new Error(`the turn for ${ask.turn.host} is spent`);
  if (ask.turn.host !== hostOf(ask.url)) throw new Error(`a turn for ${ask.turn.host} does not serve ${ask.url}`);
  ask.turn.spent = true;
}

function startTiming(): () => { timing: Timing } {
  const startedAt = Date.now();
  const start = performance.now();
  return () => ({ timing: { startedAt, duration: performance.now() - start } });
}

function placeOf(origin: string): Place {
  const { protocol, hostname, port } = new URL(origin);
  const isSecure = protocol === "https:";
  return { hostname: plainHost(hostname), port: Number(port) || (isSecure ? 443 : 80), isSecure };
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
function withBareTag(etag: string): string {
  const [, weak = "", bare] = /^(W\/)?"(.+?)-{1,2}(?:gzip|br|deflate|zstd)"$/.exec(etag) ?? [];
  return bare === undefined ? etag : `${etag}, ${weak}"${bare}"`;
}

function ownHeaders({ accept, etag, lastModified }: Ask, userAgent: string): string[] {
  const headers = ["user-agent", userAgent, "accept", accepts[accept], "accept-encoding", acceptEncoding];
  if (etag !== undefined && isSendable(etag)) headers.push("if-none-match", withBareTag(etag));
  if (lastModified !== undefined && isSendable(lastModified)) headers.push("if-modified-since", lastModified);
  return headers;
}

/** No Referer, and no cookies but those given for this origin: a page does not learn how it was found. */
function withGiven(own: string[], ask: Ask, path: string, credentials: Credentials | undefined, proxy: ProxyServer | undefined): string[] {
  if (credentials === undefined && proxy?.authorization === undefined && ask.headers === undefined) return own;
  const headers = [...own];
  if (credentials !== undefined) headers.push(...sentAlong(credentials, path, Date.now()));
  if (proxy?.authorization !== undefined) headers.push("proxy-authorization", proxy.authorization);
  if (ask.headers !== undefined) addMissing(headers, ask.headers);
  return headers;
}

/** Headers given for the origin override those of a single request. */
function addMissing(headers: string[], wished: Readonly<Record<string, string>>): void {
  const known = new Set(headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(wished))
    if (mayBeGiven(name) && isSendable(value) && !known.has(name.toLowerCase())) headers.push(name, value);
}

/** The address whose limit this request counts against. If the name cannot be resolved in time, returns that failure. */
function firstAddress(names: NameFinder, hostname: string, timeout: number, signal: AbortSignal): Promise<string | Answer> {
  return new Promise((resolve, reject) => {
    const finish = (answer: string | Answer) => {
      clearTimeout(timer);
      stopsOf(signal).delete(stop);
      resolve(answer);
    };
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => finish(failed("dns", `${hostname} was not resolved in time`, { hostFault: true })), timeout);
    stopsOf(signal).add(stop);
    names.find(hostname).then(
      (addresses) => finish(addresses[0]!),
      (error: Error) => finish(classify(unresolved(hostname, error), "connect", undefined, false)),
    );
  });
}
