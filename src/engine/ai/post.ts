import type { Dispatcher } from "undici";

/** The result of one request. Failures of the endpoint are values. */
export type PostResult =
  | { readonly kind: "answer"; readonly status: number; readonly retryAfter: string | undefined; readonly text: string }
  | { readonly kind: "failed"; readonly why: string; readonly wasSent: boolean };

export interface PostSetup {
  readonly dispatcher: Dispatcher;
  readonly url: URL;
  readonly key: string | undefined;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Size limit of a response, far above any expected answer. */
const MAX_RESPONSE_BYTES = 2 * 1024 ** 2;

/**
 * Sends one request; the timeout covers everything until the last byte. Does not follow redirects, so that the key is sent only to its
 * endpoint.
 */
export async function post(body: string, { dispatcher, url, key, timeout, signal }: PostSetup): Promise<PostResult> {
  const timeoutSignal = AbortSignal.timeout(timeout);
  try {
    const {
      statusCode,
      headers,
      body: stream,
    } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...(key && { authorization: `Bearer ${key}` }) },
      body,
      signal: AbortSignal.any([signal, timeoutSignal]),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of stream as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > MAX_RESPONSE_BYTES) return { kind: "failed", why: "its answer was too large", wasSent: true };
    }
    const retryAfter = headers["retry-after"];
    return { kind: "answer", status: statusCode, retryAfter: retryAfter?.toString(), text: Buffer.concat(parts).toString("utf8") };
  } catch (error) {
    signal.throwIfAborted();
    if (timeoutSignal.aborted) return { kind: "failed", why: `no answer within ${Math.round(timeout / 100) / 10} s`, wasSent: true };
    const { code = "", message = "" } = error as NodeJS.ErrnoException;
    return { kind: "failed", why: `the connection to ${url.host} failed (${code || message})`, wasSent: false };
  }
}
