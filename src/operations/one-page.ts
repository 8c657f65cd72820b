import type { Config } from "../config/index.ts";

/** Where a crawl may go is no question for a page somebody named. */
export const onePage = (config: Config, isRaw: boolean): Config => ({
  ...config,
  maxDepth: 0,
  sitemap: "off",
  scope: "any",
  include: [],
  exclude: [],
  skipExtensions: [],
  trapGuard: "off",
  save: ["none"],
  enhance: false,
  decisions: "full",
  readers: 1,
  types: isRaw ? [...config.types, "*/*"] : config.types,
});
