import type { Config } from "../../engine/config/index.ts";

/** Options for fetching one named page: no limits of scope. */
export const singlePageConfig = (config: Config, isRaw: boolean): Config => ({
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
