import { inspect } from "node:util";
import { resolve } from "../../analysis/url/index.ts";
import type { Fetched, Visit } from "../../core/records.ts";
import type { Hooks } from "../../engine/crawl/index.ts";
import { checkBeforeFetch } from "./before-fetch.ts";
import type { HookGuard } from "./hook-guard.ts";
import { inspectPageWith } from "./inspect-page.ts";
import type { FilterVerdict, PluginDefinition, PluginResponse } from "./plugin.ts";
import { scoreLinksWith } from "./score-links.ts";

export type With<Hook extends keyof PluginDefinition> = PluginDefinition & { readonly [K in Hook]-?: NonNullable<PluginDefinition[K]> };

/** The plugins that have a hook; undefined if none has, so that the crawl can skip the call. */
function withHook<Hook extends keyof PluginDefinition>(plugins: readonly PluginDefinition[], hook: Hook): With<Hook>[] | undefined {
  const found = plugins.filter((plugin): plugin is With<Hook> => plugin[hook] !== undefined);
  return found.length > 0 ? found : undefined;
}

/** Combines the plugins into the hooks of a crawl; a hook that no plugin has is undefined. */
export function hooksOf(plugins: readonly PluginDefinition[], guard: HookGuard, seeds: readonly string[]): Hooks {
  return {
    seeds,
    rewrite: rewriteWith(withHook(plugins, "normalizeUrl"), guard),
    filter: filterWith(withHook(plugins, "filterUrl"), guard),
    bonus: bonusWith(withHook(plugins, "priority"), guard),
    beforeFetch: beforeFetchWith(withHook(plugins, "beforeFetch"), guard),
    afterFetch: afterFetchWith(withHook(plugins, "afterFetch"), guard),
    scoreLinks: scoreLinksWith(withHook(plugins, "scoreLinks"), guard),
    look: withHook(plugins, "onHtml") || withHook(plugins, "extractLinks") ? inspectPageWith(plugins, guard) : undefined,
  };
}

function rewriteWith(plugins: With<"normalizeUrl">[] | undefined, guard: HookGuard): Hooks["rewrite"] {
  return (
    plugins &&
    ((url) => {
      let current = url;
      for (const plugin of plugins) {
        const answer = guard.runSync(plugin.name, "normalizeUrl", () => plugin.normalizeUrl(new URL(current)));
        if (answer === undefined) continue;
        if (resolve(String(answer), undefined, { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY }))
          current = String(answer);
        else guard.recordError(plugin.name, "normalizeUrl", `${String(answer)} is not a URL that can be crawled`);
      }
      return current;
    })
  );
}

function filterWith(plugins: With<"filterUrl">[] | undefined, guard: HookGuard): Hooks["filter"] {
  return (
    plugins &&
    ((url, from) => {
      for (const plugin of plugins) {
        const parent = from === undefined ? undefined : new URL(from);
        const answer = guard.runSync(plugin.name, "filterUrl", () => plugin.filterUrl(new URL(url), parent));
        const verdict = answer === undefined ? undefined : guard.runSync(plugin.name, "filterUrl", () => verdictOf(answer));
        if (verdict === undefined) continue;
        return verdict === "allow" ? undefined : { reason: `plugin:${plugin.name}`, rule: verdict.skip };
      }
      return undefined;
    })
  );
}

/** Throws for an invalid verdict, because plugins may be plain JavaScript. */
function verdictOf(answer: FilterVerdict): FilterVerdict {
  if (answer === "allow") return answer;
  const skip: unknown = answer?.skip;
  if (typeof skip === "string") return { skip };
  throw new Error(`${inspect(answer)} is neither "allow" nor { skip: "why" }`);
}

function bonusWith(plugins: With<"priority">[] | undefined, guard: HookGuard): Hooks["bonus"] {
  return (
    plugins &&
    ((url, factors) => {
      let sum = 0;
      for (const plugin of plugins) {
        const bonus = guard.runSync(plugin.name, "priority", () => plugin.priority(new URL(url), factors)) ?? 0;
        if (Number.isFinite(bonus)) sum += bonus;
        else guard.recordError(plugin.name, "priority", `${inspect(bonus)} is not a number to add`);
      }
      return sum;
    })
  );
}

function beforeFetchWith(plugins: With<"beforeFetch">[] | undefined, guard: HookGuard): Hooks["beforeFetch"] {
  return (
    plugins &&
    (async ({ url, kind, depth, attempts }) => {
      let headers: Record<string, string> = {};
      for (const plugin of plugins) {
        const answer = await guard.run(plugin.name, "beforeFetch", () => plugin.beforeFetch({ url: new URL(url), kind, depth, attempts }));
        const change = answer && guard.runSync(plugin.name, "beforeFetch", () => checkBeforeFetch(answer));
        if (change?.defer !== undefined) return change;
        headers = { ...headers, ...change?.headers };
      }
      return { headers };
    })
  );
}

function afterFetchWith(plugins: With<"afterFetch">[] | undefined, guard: HookGuard): Hooks["afterFetch"] {
  return (
    plugins &&
    (async (visit, fetched) => {
      for (const plugin of plugins) await guard.run(plugin.name, "afterFetch", () => plugin.afterFetch(responseOf(visit, fetched)));
    })
  );
}

/** A copy, so that a plugin cannot modify the crawl's data. */
function responseOf({ url }: Visit, fetched: Fetched): PluginResponse {
  const body = fetched.kind === "body" ? fetched : undefined;
  return {
    url: new URL(url),
    kind: fetched.kind,
    status: "status" in fetched ? fetched.status : fetched.kind === "not-modified" ? 304 : undefined,
    contentType: body?.contentType,
    durationMs: Math.round(fetched.timing.duration),
    bytes: () => body && Uint8Array.from(body.bytes),
  };
}
