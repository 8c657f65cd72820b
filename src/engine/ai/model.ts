import type { Dispatcher } from "undici";
import type { Clock } from "../../core/clock.ts";
import { type Dialect, defaultDialect, type Question, requestBody, simplerDialect } from "./dialect.ts";
import { type PostResult, post } from "./post.ts";
import { readReply } from "./reply.ts";
import type { Tokens } from "./spending.ts";

export interface ModelSetup {
  readonly model: string;
  /** The base URL of the endpoint. */
  readonly url: string;
  readonly key: string | undefined;
  readonly timeout: number;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  /** Parses Retry-After into milliseconds. */
  readonly retryAfter: (value: string, now: number) => number | undefined;
}

/** A model's reply. Failures are values. */
export type Reply = ReplyKind & {
  /** Number of HTTP requests. */
  readonly calls: number;
  readonly tokens: Tokens;
};

type ReplyKind =
  | { readonly kind: "said"; readonly text: string }
  /** `refused` concerns this question, `closed` every question; `failed` may succeed on a retry. */
  | { readonly kind: "refused" | "closed" | "failed"; readonly why: string };

export interface Model {
  readonly name: string;
  ask(question: Question, signal: AbortSignal): Promise<Reply>;
  close(): Promise<void>;
}

const MAX_TRIES = 4;
/** Tries after timeouts: each takes the whole timeout, and a third would most likely time out too. */
const MAX_TIMEOUT_TRIES = 2;
const FIRST_WAIT_MS = 1000;
/** If Retry-After is longer than this, the endpoint is not used again in this run. */
const MAX_WAIT_MS = 60_000;

export function openModel(setup: ModelSetup): Model {
  const url = new URL(setup.url);
  url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")}/chat/completions`;
  let dialect = defaultDialect;
  /** Shared, because a 429 applies to all concurrent requests. */
  let pausedUntil = 0;

  async function ask(question: Question, signal: AbortSignal): Promise<Reply> {
    const used = { read: 0, written: 0 };
    let [tries, calls, current]: [number, number, Dialect] = [0, 0, dialect];
    const end = (reply: ReplyKind): Reply => ({ ...reply, calls, tokens: used });
    for (;;) {
      await sleep(setup.clock, pausedUntil - setup.clock.now(), signal);
      const body = requestBody(current, setup.model, question);
      calls += 1;
      const posted = await post(body, { ...setup, url, signal });
      const reply = readReply(posted, body, setup.key);
      used.read += reply.tokens.read;
      used.written += reply.tokens.written;
      if (reply.kind === "said") {
        dialect = current;
        return end(reply);
      }
      const simpler = reply.kind === "refused" ? simplerDialect(current, reply.why) : undefined;
      if (simpler) {
        current = simpler;
        continue;
      }
      if (reply.kind !== "failed") return end(reply);
      tries += 1;
      const wait = waitAfter(posted, tries);
      if (wait > MAX_WAIT_MS) return end({ kind: "closed", why: `${reply.why}; it wants us back in ${Math.round(wait / 1000)} s` });
      if (tries >= (posted.kind === "failed" && posted.wasSent ? MAX_TIMEOUT_TRIES : MAX_TRIES)) return end(reply);
      pausedUntil = Math.max(pausedUntil, setup.clock.now() + wait);
    }
  }

  function waitAfter(posted: PostResult, tries: number): number {
    const requestedWait =
      posted.kind === "answer" && posted.retryAfter ? setup.retryAfter(posted.retryAfter, setup.clock.wall()) : undefined;
    return requestedWait ?? FIRST_WAIT_MS * 2 ** (tries - 1);
  }

  return { name: setup.model, ask, close: () => setup.dispatcher.destroy() };
}

function sleep(clock: Clock, time: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (time <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.after(time, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    const onAbort = () => {
      cancelTimer();
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
