import { type Config, fields, SetupError } from "../../../engine/config/index.ts";

interface FlagDependency {
  readonly keys: readonly (keyof Config)[];
  readonly isEnabled: (config: Config) => boolean;
  /** What is missing, and how to ask for it. */
  readonly why: string;
  readonly hint: string;
}

const flagDependencies: readonly FlagDependency[] = [
  {
    keys: ["llmUrl", "llmTokens", "llmBudget", "llmPrice", "llmTimeout"],
    isEnabled: ({ llm }) => llm !== undefined,
    why: "no model is named",
    hint: "--llm <model>",
  },
  {
    keys: ["engines", "browser"],
    isEnabled: ({ render }) => render !== "never",
    why: "no page is shown to a browser",
    hint: "--render auto, or --render always",
  },
  { keys: ["visitsPerDay"], isEnabled: ({ due }) => due, why: "it shares out the visits of --due", hint: "--due" },
  { keys: ["maxSitemaps"], isEnabled: ({ sitemap }) => sitemap !== "off", why: "--sitemap off reads none", hint: "--sitemap auto" },
  { keys: ["cascade", "topics"], isEnabled: ({ enhance }) => enhance, why: "--no-enhance leaves metadata out", hint: "--enhance" },
  {
    keys: ["robotsUnreachable", "maxCrawlDelay"],
    isEnabled: ({ respectRobots }) => respectRobots,
    why: "--no-robots reads no robots.txt",
    hint: "--respect-robots",
  },
];

/**
 * Refuses flags that could have no effect, because the option they belong to is off. Only typed ones: a config file may well set the price
 * of a model that today's crawl does not ask.
 */
export function refuseUselessFlags(flags: Readonly<Record<string, unknown>>, config: Config): void {
  for (const { keys, isEnabled, why, hint } of flagDependencies) {
    const key = keys.find((one) => flags[one] !== undefined);
    if (key === undefined || isEnabled(config)) continue;
    const flag = fields.find((field) => field.key === key)!.flag;
    throw new SetupError(`${flag} has no effect: ${why}`, `add ${hint}, or leave out ${flag}`);
  }
}
