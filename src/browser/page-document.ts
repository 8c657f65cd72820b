import { type Answer, classify, failed } from "../fetch/index.ts";
import type { Errand } from "./errand.ts";
import type { Exit } from "./exit.ts";

/**
 * Sent with every document that is given to a browser, on top of what its site says: what could not be judged request by request is closed. Workers and sockets
 * have requests of their own that no page's handler sees.
 */
export const LOCKS =
  "worker-src 'none'; connect-src http: https: data: blob:; object-src 'none'; media-src 'none'; font-src 'none'; manifest-src 'none'";

/** Whether a browser has anything to add. Feeds, texts and the like are read as they came. */
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

/** Who it was that did not answer: the browser, the server, or the page. */
export function neverEnds({ isOpened, status }: Errand, detail: string): Answer {
  if (!isOpened) return died("its browser did not answer", true);
  if (status === undefined) return failed("timeout", "no answer in time", { hostFault: true });
  return failed("render.timeout", detail, { status, mayHeal: false });
}

/** A page that did so twice will do so again. */
export const died = (detail: string, mayHeal: boolean): Answer => failed("render.crash", detail, { mayHeal });

/** Why a browser did not get its document. The exit knows better than the browser, which only saw that it was not let through. */
export function unopened(errand: Errand, exit: Exit, error: Error): Answer {
  const trouble = exit.troubleAt(errand.place);
  if (trouble) return classify(trouble, "connect", undefined, false);
  // The last one says the most; what follows is the address.
  const said = error.message.split(errand.ask.url, 1)[0]!;
  const code = said.match(/(?:net::|NS_ERROR_|SSL_ERROR_|SEC_ERROR_|MOZILLA_PKIX_)[A-Z_]+/g)?.at(-1) ?? "";
  if (/CERT|SSL|SEC_ERROR|PKIX/.test(code)) return failed("tls", code, { mayHeal: false, hostFault: true });
  if (/INVALID|RESPONSE_HEADERS|HTTP2|CORRUPTED|CONTENT_/.test(code)) return failed("protocol", code, {});
  return failed("connection", code || "the browser could not get it", { hostFault: true });
}
