/**
 * Pages as a browser shows them. A browser here has no network of its own: its only way out is our exit on loopback, which dials through the address guard
 * and lets pass what a page was allowed to ask for. One browser an engine, few pages at once, each with an end; what comes out is one record, as from `fetch`,
 * whose body is the document after its scripts have run. Loaded only when something is rendered.
 */
export { BrowserError } from "./browser-error.ts";
export { type Browsers, type BrowsersSetup, openBrowsers } from "./browsers.ts";
export type { EngineName, PageRequest, Picture, RenderAsk, Rendered } from "./engine.ts";
export { findBrowsers, type Program } from "./find-browser.ts";
export type { BrowserOptions } from "./options.ts";
export { type Tried, tryBrowser } from "./try-browser.ts";
