import type { Turn } from "../../core/records.ts";
import type { RawExchange } from "./raw-exchange.ts";

/** One request: the URL, the turn that permits it, and the kind of answer expected. */
export interface FetchRequest {
  readonly url: string;
  readonly turn: Turn;
  readonly accept: "page" | "sitemap" | "robots";
  /** Validators of the stored copy; with either, the server can answer 304 if the page is unchanged. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Called with the status and headers as received, for display. */
  readonly onHead?: ((status: number, headers: readonly (readonly [name: string, value: string])[]) => void) | undefined;
  /** Called with the raw request and response once a response has begun; for archives. */
  readonly onWire?: ((wire: RawExchange) => void) | undefined;
  /** This many bytes are enough: the rest of the body is not waited for. */
  readonly enough?: number | undefined;
  /** Sent in addition to our own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
