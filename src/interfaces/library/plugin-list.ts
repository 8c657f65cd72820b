import { type ConfigInput, fields, type Layer, SetupError } from "../../engine/config/index.ts";
import type { MaybePlugin, Plugin, PluginDefinition } from "./plugin.ts";

const RANK = { pre: 0, normal: 1, post: 2 } as const;
const rankOf = ({ enforce }: PluginDefinition) => RANK[enforce ?? "normal"];

/** The active plugins, in the order in which they are called. */
export function listPlugins(given: readonly MaybePlugin[]): PluginDefinition[] {
  const plugins = given.filter((one): one is Plugin => Boolean(one)).map(({ definition }) => definition);
  for (const [index, plugin] of plugins.entries()) {
    if (plugin === undefined)
      throw new SetupError("a plugin was not made by definePlugin()", "wrap it: plugins: [definePlugin({ name, … })]");
    if (!/^[\w.-]+$/.test(plugin.name)) throw new SetupError(`a plugin cannot be called ${plugin.name}`, "use letters, digits, -, _ and .");
    if (plugins.findIndex(({ name }) => name === plugin.name) < index)
      throw new SetupError(`two plugins are called ${plugin.name}`, "give each a name of its own: the ledger shows it");
  }
  return plugins.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Options that a plugin may set. Politeness, access and identity are decided by the person who starts the crawl. */
const ALLOWED_GROUPS: ReadonlySet<string> = new Set(["Scope", "Incremental", "Run"]);
const ALLOWED_KEYS: ReadonlySet<string> = new Set(["order", "priority", "seed", "keywords", "scoreRatio"]);

export function pluginLayers(plugins: readonly PluginDefinition[], options: Readonly<ConfigInput>): Layer[] {
  return plugins.flatMap((plugin) => {
    // A deep copy, so that a plugin cannot modify the caller's options.
    const values = plugin.config?.(structuredClone(options));
    if (values === undefined) return [];
    for (const [key, value] of Object.entries(values)) refuseForbidden(plugin.name, key, value);
    return [{ from: `plugin ${plugin.name}`, values }];
  });
}

function refuseForbidden(plugin: string, key: string, value: unknown): void {
  const group = fields.find((field) => field.key === key)?.group;
  const isAllowed = ALLOWED_KEYS.has(key) || group === undefined || ALLOWED_GROUPS.has(group);
  // A sitemap given by URL is fetched even from a private address, like a seed.
  const isAddress = key === "sitemap" && typeof value === "string" && /^https?:/i.test(value);
  if (isAllowed && !isAddress) return;
  throw new SetupError(`plugin ${plugin} may not set ${key}`, `whoever starts the crawl may: createCrawler({ ${key}: … })`);
}
