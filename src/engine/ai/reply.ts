import type { PostResult } from "./post.ts";
import type { Tokens } from "./spending.ts";

export interface ReadReply {
  readonly kind: "said" | "refused" | "closed" | "failed";
  readonly text: string;
  readonly why: string;
  readonly tokens: Tokens;
}

const NO_TOKENS: Tokens = { read: 0, written: 0 };
const RETRY_STATUSES = new Set([408, 409, 425, 429]);
const REFUSED_STATUSES = new Set([400, 413, 422]);
const MAX_SHOWN_LENGTH = 200;

/** Estimate for endpoints that do not report usage: about three bytes per token; no common tokenizer needs many more tokens. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);

/** Interprets an HTTP response, and counts its tokens. */
export function readReply(posted: PostResult, request: string, key: string | undefined): ReadReply {
  if (posted.kind === "failed") {
    // An endpoint that received the question may have begun to answer, and charge for it.
    const tokens = posted.wasSent ? { read: estimateTokens(request), written: 0 } : NO_TOKENS;
    return { kind: "failed", text: "", why: posted.why, tokens };
  }
  const { status, text } = posted;
  const document = parse(text);
  const errorDetail = document?.error;
  if (status === 200 && !errorDetail) {
    const answer = contentOf(document);
    return { kind: "said", text: answer, why: "", tokens: usageOf(document, request, answer) };
  }
  const words = errorText(errorDetail ?? document, key);
  const isOutOfCredit = /insufficient_quota|billing/.test(text);
  const kind = isOutOfCredit
    ? "closed"
    : status === 200 || status >= 500 || RETRY_STATUSES.has(status)
      ? "failed"
      : REFUSED_STATUSES.has(status)
        ? "refused"
        : "closed";
  return { kind, text: "", why: `${reasonFor(status)}${words && ` (${words})`}`, tokens: NO_TOKENS };
}

function reasonFor(status: number): string {
  if (status === 401 || status === 403) return `it does not accept the key: ${status}`;
  if (status === 404) return "it knows no such address or model: 404";
  if (status >= 300 && status < 400) return `it answered with a redirect, which is not followed: ${status}`;
  return `it answered ${status}`;
}

type Loose = Readonly<Record<string, unknown>>;

function parse(text: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Loose) : undefined;
  } catch {
    return undefined; // a proxy's error page or a truncated answer: the status code decides
  }
}

/** `choices[0].message.content`, as one string or in parts. */
function contentOf(document: Loose | undefined): string {
  const choice = (document?.choices as readonly Loose[] | undefined)?.[0];
  const content = (choice?.message as Loose | undefined)?.content;
  if (Array.isArray(content)) return content.map((part: Loose | undefined) => String(part?.text ?? "")).join("");
  return typeof content === "string" ? content : "";
}

function usageOf(document: Loose | undefined, request: string, answer: string): Tokens {
  const usage = document?.usage as Loose | undefined;
  return {
    read: tokenCount(usage?.prompt_tokens) ?? estimateTokens(request),
    written: tokenCount(usage?.completion_tokens) ?? estimateTokens(answer),
  };
}

const tokenCount = (value: unknown) => (typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.ceil(value) : undefined);

/** The endpoint's error message without the key: some endpoints repeat a refused key, whole or partly masked. */
function errorText(errorDetail: unknown, key: string | undefined): string {
  const { message = errorDetail } = (typeof errorDetail === "object" && errorDetail !== null ? errorDetail : {}) as Loose;
  if (typeof message !== "string") return "";
  const without = key ? message.replaceAll(key, "(hidden)") : message;
  return without
    .replace(/\b(sk|key|bearer)[-_ ][\w*.-]{6,}/gi, "(hidden)")
    .replace(/\s+/g, " ")
    .slice(0, MAX_SHOWN_LENGTH);
}
