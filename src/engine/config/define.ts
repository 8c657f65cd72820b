import type { ConfigInput } from "./config.ts";

/** Options as in a config file; a program may give patterns as regular expressions. */
export type OptionsInput = Omit<ConfigInput, "include" | "exclude"> & {
  /** Visit only URLs that match one of these globs or expressions. */
  readonly include?: readonly (string | RegExp)[];
  /** Never visit URLs that match one of these globs or expressions; beats include. */
  readonly exclude?: readonly (string | RegExp)[];
};

export type SiteInput = OptionsInput & {
  /** The start URL. */
  readonly url: string;
};

export type ConfigFileInput = OptionsInput & {
  /** The data file, relative to the config file. */
  readonly db?: string;
  /** Options of all sites. */
  readonly defaults?: OptionsInput;
  /** Sites to crawl, each with its own options. */
  readonly sites?: readonly SiteInput[];
};

/** The content of a nuthatch.config.ts; typed, so that an editor checks names and values. */
export const defineConfig = (config: ConfigFileInput): ConfigFileInput => config;
