import { z } from "zod";
import type { ConfigInput } from "./config.ts";

const names = ["monitor", "context", "enrich", "tse", "broad"] as const;
export type PresetName = (typeof names)[number];

export interface Preset {
  readonly about: string;
  readonly options: Readonly<Omit<ConfigInput, "preset">>;
}

/** Defaults per kind of use. A file, the environment and flags override them. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  monitor: { about: "one site, again and again: what is built in", options: {} },
  context: {
    about: "a page and what it links to, as context for a reader or a model",
    options: { maxDepth: 1, maxPages: 50, sitemap: "off", fingerprint: "text" },
  },
  enrich: {
    about: "the URLs that are given, and nothing they link to",
    options: { scope: "page", maxDepth: 0, sitemap: "off", embeddedLinks: "off", fingerprint: "text" },
  },
  tse: {
    about: "the Tiny Search Engine's crawl: breadth first, one page at a time, every body kept, nothing clever",
    options: {
      scope: "prefix",
      order: "breadth",
      maxPages: "none",
      maxComponents: 1000,
      rateLimit: "1/s",
      maxConcurrent: 1,
      sitemap: "off",
      trapGuard: "off",
      embeddedLinks: "off",
      stripParams: [],
      skipExtensions: [],
      full: true,
      enhance: false,
      save: ["raw"],
    },
  },
  broad: {
    about: "many hosts at once, each as politely as always; bodies, metadata and the reasons of skipped URLs are not kept",
    options: { scope: "any", maxDepth: 20, maxPages: 1_000_000, maxConcurrent: 200, enhance: false, save: ["none"], decisions: "off" },
  },
};

export const isPreset = (name: unknown): name is PresetName => names.includes(name as PresetName);

export const PresetOptions = z.object({
  preset: z.enum(names).default("monitor").describe("Options to begin with; any other option beats them").meta({ kept: false }),
});
