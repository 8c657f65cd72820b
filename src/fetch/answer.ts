import { STATUS_CODES } from "node:http";
import type { CodedBody, Fetched } from "../records.ts";
import type { Ask } from "./ask.ts";
import { essenceOf, type Head } from "./head.ts";
import { boundedWait, parseRetryAfter } from "./retry-after.ts";

type Untimed<T> = T extends unknown ? Omit<T, "timing"> : never;

/** The result of a request, without its timing. */
export type Answer = Untimed<Fetched>;
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
export function judge(status: number, head: Head, ask: Ask, types: ReadonlySet<string>, now: number): Answer | undefined {
  if (status >= 200 && status < 300) return judgeSuccess(status, head, ask, types);
  if (status >= 300 && status < 400) return judgeRedirect(status, head, ask);
  const retryAfter = head.retryAfter === undefined ? undefined : parseRetryAfter(head.retryAfter, now);
  const bounded = head.retryAfter === undefined ? "" : boundedWait(head.retryAfter, now);
  const rule = `answered ${status} ${STATUS_CODES[status] ?? ""}`.trim() + bounded;
  if (status === 404 || status === 410) return { kind: "gone", status };
  if (status === 429) return { kind: "refused", by: "pace", reason: "http.429", rule, status, retryAfter };
  if (status === 503) return { kind: "refused", by: "pace", reason: "http.5xx", rule, status, retryAfter };
  if (status === 408 || status === 425 || (status >= 500 && status < 600)) {
    const reason = status < 500 ? "http.4xx" : "http.5xx";
    return { kind: "failed", reason, detail: rule, status, mayHeal: true, hostFault: true, retryAfter };
  }
  if (status >= 400 && status < 500) return { kind: "refused", by: "server", reason: "http.4xx", rule, status, retryAfter };
  return misbehaved(status, `${rule}, which is no HTTP status`);
}

function judgeSuccess(status: number, head: Head, ask: Ask, types: ReadonlySet<string>): Answer | undefined {
  // RFC 9110 §15.3.5, §15.3.6: these have no content, whatever their headers claim.
  if (status === 204 || status === 205) return bodyOf(status, head, new Uint8Array(0), 0);
  if (status === 206) return misbehaved(status, "sent a part where the whole was asked for");
  const essence = essenceOf(head.contentType);
  if (ask.accept !== "page" || essence === undefined || types.has(essence) || types.has("*/*")) return undefined;
  return { kind: "refused", by: "type", reason: "type", rule: `${printable(essence)} is not a page`, status, retryAfter: undefined };
}

function judgeRedirect(status: number, head: Head, ask: Ask): Answer {
  if (status === 304) {
    if (ask.etag === undefined && ask.lastModified === undefined) return misbehaved(status, "answered 304 to a request without validators");
    // RFC 9111 §4.3.4: a 304 may bring newer validators; the old ones stay otherwise.
    return { kind: "not-modified", etag: head.etag ?? ask.etag, lastModified: head.lastModified ?? ask.lastModified };
  }
  if (![301, 302, 303, 307, 308].includes(status)) return misbehaved(status, `answered ${status}, which is no redirect we follow`);
  const location = targetOf(head.location, ask.url);
  if (location === undefined) return misbehaved(status, `answered ${status} without a usable Location`);
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
function targetOf(value: string | undefined, base: string): URL | undefined {
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

export function bodyOf(status: number, head: Head, bytes: Uint8Array, wireBytes: number, coded?: CodedBody): Answer {
  const { contentType, etag, lastModified, robotsTags } = head;
  return { kind: "body", status, contentType, bytes, coded, etag, lastModified, robotsTags, wireBytes };
}

/** The server speaks HTTP, but the response makes no sense. A retry would get the same. */
function misbehaved(status: number, detail: string): Failed {
  return { kind: "failed", reason: "protocol", detail, status, mayHeal: false, hostFault: false, retryAfter: undefined };
}

/** Text from a server ends up in terminals and ledgers: visible ASCII only, with a length limit. */
const printable = (text: string) => text.replace(/[^\x21-\x7e]/g, "?").slice(0, 100);
