import type { StoredBody } from "../records.ts";

/** A picture of a page on its way into the store. */
export interface PictureToKeep {
  readonly body: StoredBody;
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** Which browser showed a page, and what it looked like. */
export interface RenderedBy {
  readonly engine: string;
  readonly picture?: PictureToKeep | undefined;
}

export interface StoredPicture {
  /** Its number among those of the page. */
  readonly version: number;
  readonly engine: string;
  readonly bodyHash: string;
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** The engine that gets real content from a host. */
export interface HostEngine {
  readonly engine: string;
  /** Plain requests do not. */
  readonly isWalled: boolean;
}

/** Of the pages of a template that a browser was shown, how many said more there. */
export interface TemplateGain {
  readonly shown: number;
  readonly gained: number;
}

/** What browsers have taught: part of every store. */
export interface RenderingShelf {
  hostEngine(host: string): Promise<HostEngine | undefined>;
  saveHostEngine(host: string, engine: HostEngine): Promise<void>;
  gain(siteId: number, template: string): Promise<TemplateGain | undefined>;
  saveGain(siteId: number, template: string, gain: TemplateGain): Promise<void>;
  /** Of the current version of a page, or of an earlier one. */
  picture(pageId: number, version?: number): Promise<StoredPicture | undefined>;
}
