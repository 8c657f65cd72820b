import type { Fetched, Turn } from "../records.ts";
import type { BrowserOptions } from "./options.ts";

export type EngineName = BrowserOptions["engines"][number];

/** A page to be shown, and what it may do. */
export interface RenderAsk {
  readonly url: string;
  /** The document as it was fetched, which is then not asked for again; or a turn, which the browser spends on asking for it. */
  readonly document: Extract<Fetched, { kind: "body" }> | Turn;
  /** Why a request of the page may not go out; undefined lets it. */
  readonly refusal: (request: PageRequest) => string | undefined;
  readonly wantsPicture: boolean;
}

/**
 * What a page asks for besides its document. Media, fonts and whatever is no GET are stopped before anyone is asked, and so are images unless a picture of the
 * page is wanted.
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
 * What came of it. A body is the document as it stood when it had come to rest, shadow roots and frames of its own host included, in UTF-8; it has no validators,
 * because they speak of what was sent. Whatever a page does to its browser is a failure with a name.
 */
export interface Rendered {
  readonly fetched: Fetched;
  readonly picture?: Picture | undefined;
  /** Whether it came to rest by itself. */
  readonly isQuiet: boolean;
  /** Requests that went out, the document's included. */
  readonly requests: number;
  readonly refused: number;
}

/** A browser under way. */
export interface Engine {
  readonly name: EngineName;
  render(ask: RenderAsk, signal: AbortSignal): Promise<Rendered>;
  close(): Promise<void>;
}
