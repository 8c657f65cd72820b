import type { Turn } from "../records.ts";
import type { Wire } from "./wire.ts";

/** One request: what, with whose permission, and what kind of answer is of use. */
export interface Ask {
  readonly url: string;
  readonly turn: Turn;
  readonly accept: "page" | "sitemap" | "robots";
  /** Validators of the stored copy; with either, an unchanged page answers 304. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Told status and headers as they came, for people who want to see them. */
  readonly onHead?: ((status: number, headers: readonly (readonly [name: string, value: string])[]) => void) | undefined;
  /** Told what went over the wire, once an answer has begun; for archives. */
  readonly onWire?: ((wire: Wire) => void) | undefined;
  /** So many bytes are enough: what comes after them is not waited for. */
  readonly enough?: number | undefined;
  /** Sent besides our own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
