import type { StoredBody } from "../core/records.ts";

/** A screenshot to be stored. */
export interface ScreenshotToStore {
  readonly body: StoredBody;
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** The browser that rendered a page, and its screenshot. */
export interface RenderedBy {
  readonly engine: string;
  readonly picture?: ScreenshotToStore | undefined;
}

export interface StoredScreenshot {
  /** The version number within the page. */
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
  /** Plain requests do not get real content. */
  readonly isWalled: boolean;
}

/** Of the pages of a template that were rendered, how many had more content in a browser. */
export interface TemplateGain {
  readonly shown: number;
  readonly gained: number;
}

/** What rendering has learned: part of every store. */
export interface RenderingStore {
  hostEngine(host: string): Promise<HostEngine | undefined>;
  saveHostEngine(host: string, engine: HostEngine): Promise<void>;
  gain(siteId: number, template: string): Promise<TemplateGain | undefined>;
  saveGain(siteId: number, template: string, gain: TemplateGain): Promise<void>;
  /** The screenshot of the current version of a page, or of an earlier one. */
  picture(pageId: number, version?: number): Promise<StoredScreenshot | undefined>;
}
