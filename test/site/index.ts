/**
 * Our own small web on loopback, for the tests and for `nuthatch demo`. `serveSite` turns a table of pages into a running host
 * that keeps a log of every request, and the log answers the questions about politeness (`gaps`, `mostAtOnce`). `generatedSite`
 * makes a site of any size whose pages, links and depths are known, and which can change between two runs; it draws each page
 * when it is asked for and keeps none. `startDemoWeb` opens the invented town of Sittaford, where everything that makes the real
 * web difficult happens once. It uses Node alone, because it is part of the shipped package.
 */
export { type GeneratedSite, type GeneratedSiteOptions, generatedSite } from "./generated.ts";
export { gaps, type LoggedRequest, mostAtOnce } from "./log.ts";
export { type PageAnswer, type PageHandler, type PageSpec, pagesIn, type RunningSite, type SiteRequest, serveSite } from "./serve.ts";
export { type DemoHost, type DemoWeb, startDemoWeb } from "./sittaford/index.ts";
