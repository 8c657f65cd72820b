/**
 * Renders pages in a browser. The browser has no direct network access: its only way out is our exit on loopback, which dials through
 * the address guard and passes only permitted requests. There is one browser per engine with few pages at a time, each with a deadline.
 * The result is a record as from `fetch`, whose body is the document after its scripts have run. Loaded only when something is rendered.
 */
export { BrowserError } from "./browser-error.ts";
export { type Browsers, type BrowsersSetup, openBrowsers } from "./browsers.ts";
export type { EngineName, PageRequest, Picture, Rendered, RenderRequest } from "./engine.ts";
export { type BrowserProgram, findBrowsers } from "./find-browser.ts";
export type { BrowserOptions } from "./options.ts";
export { type TryResult, tryBrowser } from "./try-browser.ts";
