import type { Fetched, Turn } from "../../core/records.ts";
import type { BrowserOptions } from "./options.ts";

export type EngineName = BrowserOptions["engines"][number];

/** A page to render, and what it may request. */
export interface RenderRequest {
  readonly url: string;
  /**
   * The document as already fetched, so that the browser does not request it again; or a turn, which the browser spends
   * on requesting it.
   */
  readonly document: Extract<Fetched, { kind: "body" }> | Turn;
  /** The reason to refuse a request of the page; undefined permits it. */
  readonly refusal: (request: PageRequest) => string | undefined;
  readonly wantsPicture: boolean;
}

/**
 * A subrequest of a page. Media, fonts and all methods other than GET are refused without asking, and so are images
 * unless a picture of the page is wanted.
 */
export interface PageRequest {
  readonly url: string;
  readonly kind: "document" | "script" | "style" | "data" | "image";
}

export interface Picture {
  readonly bytes: Uint8Array;
  readonly type: "image/jpeg" | "image/png";
  readonly width: number;
  readonly height: number;
}

/**
 * The result. A body is the document when it had come to rest, including shadow roots and frames of its own host, in UTF-8. It has
 * no validators, because those describe the original response. Anything a page does to its browser is a failure with a reason.
 */
export interface Rendered {
  readonly fetched: Fetched;
  readonly picture?: Picture | undefined;
  /** False if the page was still changing when time ran out. */
  readonly isQuiet: boolean;
  /** Requests that were sent, including the document's. */
  readonly requests: number;
  readonly refused: number;
}

/** A running browser. */
export interface Engine {
  readonly name: EngineName;
  render(request: RenderRequest, signal: AbortSignal): Promise<Rendered>;
  close(): Promise<void>;
}
