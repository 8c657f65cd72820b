import type { ConfigInput } from "./config.ts";

/** Options as a config file says them; a program may write patterns as expressions. */
export type OptionsInput = Omit<ConfigInput, "include" | "exclude"> & {
  /** Visit only URLs that match one of these globs or expressions. */
  readonly include?: readonly (string | RegExp)[];
  /** Never visit URLs that match one of these globs or expressions; beats include. */
  readonly exclude?: readonly (string | RegExp)[];
};

export type SiteInput = OptionsInput & {
  /** Where to begin. */
  readonly url: string;
};

export type ConfigFileInput = OptionsInput & {
  /** The data file, beside the config file. */
  readonly db?: string;
  /** Options of all sites. */
  readonly defaults?: OptionsInput;
  /** Sites to crawl, each with options of its own. */
  readonly sites?: readonly SiteInput[];
};

/** The content of a nuthatch.config.ts, with every name and value checked where it is written. */
export const defineConfig = (config: ConfigFileInput): ConfigFileInput => config;
