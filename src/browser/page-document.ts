import { type Answer, classify, failed } from "../fetch/index.ts";
import type { Errand } from "./errand.ts";
import type { Exit } from "./exit.ts";

/**
 * Sent with every document given to a browser, in addition to the site's own policy: blocks what cannot be intercepted
 * request by request. Workers and sockets send requests that no page handler sees.
 */
export const LOCKS =
  "worker-src 'none'; connect-src http: https: data: blob:; object-src 'none'; media-src 'none'; font-src 'none'; manifest-src 'none'";

/** Whether rendering can add anything. Feeds, texts and the like are read as received. */
export function isShown(contentType: string | undefined): boolean {
  const essence = /^[^;,]*/
    .exec(contentType ?? "")![0]
    .trim()
    .toLowerCase();
  return !essence.includes("/") || essence === "text/html" || essence === "application/xhtml+xml";
}

export const tooLarge = (status: number | undefined): Answer => ({
  kind: "refused",
  by: "size",
  reason: "size",
  rule: "larger than --max-body",
  status,
  retryAfter: undefined,
});

/** Which party did not respond: the browser, the server, or the page. */
export function neverEnds({ isOpened, status }: Errand, detail: string): Answer {
  if (!isOpened) return died("its browser did not answer", true);
  if (status === undefined) return failed("timeout", "no answer in time", { hostFault: true });
  return failed("render.timeout", detail, { status, mayHeal: false });
}

/** A page that crashed its browser twice will do so again, so it is not retried. */
export const died = (detail: string, mayHeal: boolean): Answer => failed("render.crash", detail, { mayHeal });

/** Why a browser did not get its document. The exit's error is more precise than the browser's, which only saw a refused proxy request. */
export function unopened(errand: Errand, exit: Exit, error: Error): Answer {
  const trouble = exit.troubleAt(errand.place);
  if (trouble) return classify(trouble, "connect", undefined, false);
  // The last code is the most specific; the text after it is the URL.
  const said = error.message.split(errand.ask.url, 1)[0]!;
  const code = said.match(/(?:net::|NS_ERROR_|SSL_ERROR_|SEC_ERROR_|MOZILLA_PKIX_)[A-Z_]+/g)?.at(-1) ?? "";
  if (/CERT|SSL|SEC_ERROR|PKIX/.test(code)) return failed("tls", code, { mayHeal: false, hostFault: true });
  if (/INVALID|RESPONSE_HEADERS|HTTP2|CORRUPTED|CONTENT_/.test(code)) return failed("protocol", code, {});
  return failed("connection", code || "the browser could not get it", { hostFault: true });
}
