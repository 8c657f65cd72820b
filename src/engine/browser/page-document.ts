import { type Answer, classifyError, makeFailure } from "../fetch/index.ts";
import type { ExitProxy } from "./exit/exit-proxy.ts";
import type { RenderJob } from "./exit/render-job.ts";

/**
 * Sent with every document given to a browser, in addition to the site's own policy: blocks what cannot be intercepted
 * request by request. Workers and sockets send requests that no page handler sees.
 */
export const CONTENT_POLICY =
  "worker-src 'none'; connect-src http: https: data: blob:; object-src 'none'; media-src 'none'; font-src 'none'; manifest-src 'none'";

/** Whether rendering can add anything. Feeds, texts and the like are read as received. */
export function isRenderable(contentType: string | undefined): boolean {
  const mediaType = /^[^;,]*/
    .exec(contentType ?? "")![0]
    .trim()
    .toLowerCase();
  return !mediaType.includes("/") || mediaType === "text/html" || mediaType === "application/xhtml+xml";
}

export const tooLargeAnswer = (status: number | undefined): Answer => ({
  kind: "refused",
  by: "size",
  reason: "size",
  rule: "larger than --max-body",
  status,
  retryAfter: undefined,
});

/** Which party did not respond: the browser, the server, or the page. */
export function timeoutAnswer({ isDocumentRequested, status }: RenderJob, detail: string): Answer {
  if (!isDocumentRequested) return crashAnswer("its browser did not answer", true);
  if (status === undefined) return makeFailure("timeout", "no answer in time", { hostFault: true });
  return makeFailure("render.timeout", detail, { status, mayHeal: false });
}

/** A page that crashed its browser twice will do so again, so it is not retried. */
export const crashAnswer = (detail: string, mayHeal: boolean): Answer => makeFailure("render.crash", detail, { mayHeal });

/** Why a browser did not get its document. The exit's error is more precise than the browser's, which only saw a refused proxy request. */
export function notOpenedAnswer(job: RenderJob, exitProxy: ExitProxy, error: Error): Answer {
  const exitError = exitProxy.lastErrorAt(job.hostAndPort);
  if (exitError) return classifyError(exitError, "connect", undefined, false);
  // The last code is the most specific; the text after it is the URL.
  const message = error.message.split(job.renderRequest.url, 1)[0]!;
  const code = message.match(/(?:net::|NS_ERROR_|SSL_ERROR_|SEC_ERROR_|MOZILLA_PKIX_)[A-Z_]+/g)?.at(-1) ?? "";
  if (/CERT|SSL|SEC_ERROR|PKIX/.test(code)) return makeFailure("tls", code, { mayHeal: false, hostFault: true });
  if (/INVALID|RESPONSE_HEADERS|HTTP2|CORRUPTED|CONTENT_/.test(code)) return makeFailure("protocol", code, {});
  return makeFailure("connection", code || "the browser could not get it", { hostFault: true });
}
