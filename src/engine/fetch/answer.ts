import { STATUS_CODES } from "node:http";
import type { CodedBody, Fetched } from "../../core/records.ts";
import type { FetchRequest } from "./fetch-request.ts";
import { type Head, mediaTypeOf } from "./head.ts";
import { longWaitNote, parseRetryAfter } from "./retry-after.ts";

type WithoutTiming<T> = T extends unknown ? Omit<T, "timing"> : never;

/** The result of a request, without its timing. */
export type Answer = WithoutTiming<Fetched>;
export type Failed = Extract<Answer, { kind: "failed" }>;

const pageTypes = [
  "text/html",
  "application/xhtml+xml",
  "text/plain",
  "text/markdown",
  "text/x-markdown",
  "application/xml",
  "text/xml",
  "application/rss+xml",
  "application/atom+xml",
  "application/rdf+xml",
];

/** The content types read as pages: the default ones and those the user adds. */
export const readableTypes = (extra: readonly string[]): ReadonlySet<string> =>
  new Set([...pageTypes, ...extra.map((type) => type.trim().toLowerCase())]);

/** Decides from status and headers alone. `undefined`: the body is needed. */
export function classifyHead(
  status: number,
  head: Head,
  request: FetchRequest,
  types: ReadonlySet<string>,
  now: number,
): Answer | undefined {
  if (status >= 200 && status < 300) return classifySuccess(status, head, request, types);
  if (status >= 300 && status < 400) return classifyRedirect(status, head, request);
  const retryAfter = head.retryAfter === undefined ? undefined : parseRetryAfter(head.retryAfter, now);
  const waitNote = head.retryAfter === undefined ? "" : longWaitNote(head.retryAfter, now);
  const rule = `answered ${status} ${STATUS_CODES[status] ?? ""}`.trim() + waitNote;
  if (status === 404 || status === 410) return { kind: "gone", status };
  if (status === 429) return { kind: "refused", by: "pace", reason: "http.429", rule, status, retryAfter };
  if (status === 503) return { kind: "refused", by: "pace", reason: "http.5xx", rule, status, retryAfter };
  if (status === 408 || status === 425 || (status >= 500 && status < 600)) {
    const reason = status < 500 ? "http.4xx" : "http.5xx";
    return { kind: "failed", reason, detail: rule, status, mayHeal: true, hostFault: true, retryAfter };
  }
  if (status >= 400 && status < 500) return { kind: "refused", by: "server", reason: "http.4xx", rule, status, retryAfter };
  return protocolFailure(status, `${rule}, which is no HTTP status`);
}

function classifySuccess(status: number, head: Head, request: FetchRequest, types: ReadonlySet<string>): Answer | undefined {
  // RFC 9110 §15.3.5, §15.3.6: these have no content, whatever their headers claim.
  if (status === 204 || status === 205) return bodyAnswer(status, head, new Uint8Array(0), 0);
  if (status === 206) return protocolFailure(status, "sent a part where the whole was asked for");
  const mediaType = mediaTypeOf(head.contentType);
  if (request.accept !== "page" || mediaType === undefined || types.has(mediaType) || types.has("*/*")) return undefined;
  return { kind: "refused", by: "type", reason: "type", rule: `${printable(mediaType)} is not a page`, status, retryAfter: undefined };
}

function classifyRedirect(status: number, head: Head, request: FetchRequest): Answer {
  if (status === 304) {
    if (request.etag === undefined && request.lastModified === undefined)
      return protocolFailure(status, "answered 304 to a request without validators");
    // RFC 9111 §4.3.4: a 304 may bring newer validators; the old ones stay otherwise.
    return { kind: "not-modified", etag: head.etag ?? request.etag, lastModified: head.lastModified ?? request.lastModified };
  }
  if (![301, 302, 303, 307, 308].includes(status)) return protocolFailure(status, `answered ${status}, which is no redirect we follow`);
  const location = redirectTarget(head.location, request.url);
  if (location === undefined) return protocolFailure(status, `answered ${status} without a usable Location`);
  if (location.protocol !== "http:" && location.protocol !== "https:") {
    const rule = `redirects to ${location.protocol}, which is not fetched`;
    return { kind: "refused", by: "guard", reason: "scheme", rule, status, retryAfter: undefined };
  }
  location.username = "";
  location.password = "";
  location.hash = "";
  return { kind: "moved", status, location: location.href };
}

/** Location should be ASCII; in practice it is UTF-8, or else Latin-1. */
function redirectTarget(value: string | undefined, base: string): URL | undefined {
  const utf8 = Buffer.from(value ?? "", "latin1").toString("utf8");
  const text = (utf8.includes("\ufffd") ? value! : utf8).trim();
  if (text === "") return undefined;
  try {
    // Not URL.canParse: Node 20 answers wrongly for hosts in Latin-1 letters once the call has been optimised.
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

export function bodyAnswer(status: number, head: Head, bytes: Uint8Array, wireBytes: number, coded?: CodedBody): Answer {
  const { contentType, etag, lastModified, robotsTags } = head;
  return { kind: "body", status, contentType, bytes, coded, etag, lastModified, robotsTags, wireBytes };
}

/** The server speaks HTTP, but the response makes no sense. A retry would get the same. */
function protocolFailure(status: number, detail: string): Failed {
  return { kind: "failed", reason: "protocol", detail, status, mayHeal: false, hostFault: false, retryAfter: undefined };
}

/** Text from a server ends up in terminals and ledgers: visible ASCII only, with a length limit. */
const printable = (text: string) => text.replace(/[^\x21-\x7e]/g, "?").slice(0, 100);
