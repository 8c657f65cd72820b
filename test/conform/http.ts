/** Maps cases of the `http` set onto the fetch room (and what headers say of indexing onto the robots room). Statuses are answered by a server on loopback. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { indexing } from "../../src/analysis/robots/index.ts";
import { hostOf, originOf } from "../../src/analysis/url/index.ts";
import type { Fetched } from "../../src/core/records.ts";
import {
  type Decoded,
  DnsCache,
  decodeBody,
  type FetchRequest,
  openFetcher,
  openResolver,
  PrivateHosts,
  parseRetryAfter,
} from "../../src/engine/fetch/index.ts";

interface HttpCase {
  readonly kind: string;
  readonly file: string;
  readonly contentEncoding: string;
  readonly input: string;
  readonly now: string;
  readonly from: string;
  readonly to: string;
  readonly status: number;
  readonly hasLocation: boolean;
  readonly method: string;
  readonly sent: string;
  readonly response: string;
  readonly expected: unknown;
}

const DECODE_CAP = 50 * 1024 ** 2;
const BOMB_CAP = 10_000_000;
const DAY = 86_400;

/** Right, wrong, or undefined where the case needs a file that is not in `folder`, or asks for something this crawler does not do. */
export function check(caseRow: unknown, folder = "."): boolean | undefined | Promise<boolean | undefined> {
  const row = caseRow as HttpCase;
  switch (row.kind) {
    case "decode":
      return withFile(row, folder, DECODE_CAP, (decoded, path) => checkDecoded(decoded, row.expected as ExpectedBytes, path));
    case "bomb":
      return withFile(row, folder, BOMB_CAP, (decoded) => decoded.kind !== "whole");
    case "truncated":
      return withFile(row, folder, DECODE_CAP, (decoded) => decoded.kind === "broken");
    case "retryAfter":
      return checkRetryAfter(row);
    case "redirectAuth": {
      // Credentials belong to an origin; a redirect is a new request that gets those of its own.
      const isKept = originOf(row.from) === originOf(row.to);
      const expected = row.expected as { keepAuthorization: boolean; keepCookieHeader: boolean };
      return isKept === expected.keepAuthorization && isKept === expected.keepCookieHeader;
    }
    case "redirectStatus":
      if (row.method !== "GET") return undefined;
      return asked(row.status, row.hasLocation ? "/target" : undefined).then(({ kind }) => (kind === "moved") === (row.expected === "GET"));
    case "redirectScheme":
      return asked(302, `${row.to}x`).then((fetched) => fetched.kind === "refused" && fetched.reason === "scheme");
    case "conditional":
      return checkConditional(row);
    case "indexing":
      return checkIndexing(row);
    default:
      return undefined;
  }
}

interface ExpectedBytes {
  readonly bytes?: number;
  readonly sha256?: string;
  readonly sameAs?: string;
  readonly orError?: boolean;
}

async function withFile(row: HttpCase, folder: string, cap: number, judge: (decoded: Decoded, path: string) => boolean | Promise<boolean>) {
  const path = join(folder, row.file);
  if (!existsSync(path)) return undefined;
  return judge(await decodeBody(await readFile(path), row.contentEncoding, cap), path);
}

async function checkDecoded(decoded: Decoded, expected: ExpectedBytes, path: string): Promise<boolean> {
  if (decoded.kind !== "whole") return expected.orError === true;
  if (expected.sameAs === undefined) return decoded.bytes.length === expected.bytes && sha256(decoded.bytes) === expected.sha256;
  const other = await decodeBody(await readFile(join(dirname(path), expected.sameAs)), "gzip", DECODE_CAP);
  return other.kind === "whole" && sha256(other.bytes) === sha256(decoded.bytes);
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function checkRetryAfter(row: HttpCase): boolean {
  const delay = parseRetryAfter(row.input, Date.parse(row.now));
  const seconds = delay === undefined ? null : delay / 1000;
  return row.expected === "cap" ? seconds === DAY : seconds === row.expected;
}

/** What the fetcher makes of a status, a Location and the validators it was given. */
async function asked(status: number, location: string | undefined, ask: Partial<FetchRequest> = {}): Promise<Fetched> {
  const server = createServer((request, response) => {
    const isAsked =
      (request.headers["if-none-match"] ?? undefined) === ask.etag && request.headers["if-modified-since"] === ask.lastModified;
    response.writeHead(isAsked ? status : 500, { "content-type": "text/html", ...(location === undefined ? {} : { location }) }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const opened = new PrivateHosts([]);
  opened.allowUrl(url);
  const options = { timeout: 5_000, maxBody: 1_000_000, types: [], perHost: 1, allowPrivate: [], userAgent: undefined, contact: undefined };
  const fetcher = openFetcher({ ...options, names: new DnsCache(openResolver(options)), opened, product: "conform" });
  try {
    const turn = { host: hostOf(url), spent: false };
    return await fetcher.fetch({ url, turn, accept: "page", ...ask }, AbortSignal.timeout(10_000));
  } finally {
    await fetcher.close();
    server.close();
    server.closeAllConnections();
  }
}

async function checkConditional(row: HttpCase): Promise<boolean> {
  const ask: Partial<FetchRequest> = {
    ...(row.sent.includes("If-None-Match") && { etag: '"a"' }),
    ...(row.sent.includes("If-Modified-Since") && { lastModified: "Sun, 15 Nov 2026 12:00:00 GMT" }),
  };
  const isConditional = Object.keys(ask).length > 0;
  const outcomes: [mention: string, status: number, kind: Fetched["kind"]][] = [
    ["200", 200, "body"],
    ["304", 304, isConditional ? "not-modified" : "failed"],
    // Not followed, so its target never sees these validators.
    ["redirect", 302, "moved"],
  ];
  for (const [mention, status, kind] of outcomes) {
    if (row.response.includes(mention) && (await asked(status, status === 302 ? "/target" : undefined, ask)).kind !== kind) return false;
  }
  return true;
}

/** Cases are sentences: a header or a meta element, and what follows from it. */
function checkIndexing(row: HttpCase): boolean | undefined {
  const header = /^X-Robots-Tag: (.*)$/i.exec(row.input)?.[1];
  const [, name, quoted, bare] = /^meta name=(\S+) content=(?:"([^"]*)"|(\S+))/.exec(row.input) ?? [];
  if (header === undefined && name === undefined) return undefined;
  const metas = name === undefined ? [] : [{ name, content: quoted ?? bare ?? "" }];
  const said = indexing({ headers: header === undefined ? [] : [header], metas }, "ourbot", Date.UTC(2026, 10, 15));
  const expected = String(row.expected);
  if (expected.startsWith("applies")) return said.noindex || said.nofollow;
  if (/ignored|not apply/.test(expected)) return !said.noindex && !said.nofollow;
  return said.noindex === /not indexed/.test(expected) && said.nofollow === /not followed/.test(expected);
}
