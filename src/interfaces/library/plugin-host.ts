import { parseHttp } from "../../analysis/url/index.ts";
import type { Change, Page } from "../../core/records.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { Hooks, RunResult } from "../../engine/crawl/index.ts";
import type { PageDiff } from "../../features/changes/page-diff.ts";
import { check } from "./data.ts";
import { HookGuard, type PluginReport } from "./hook-guard.ts";
import { type Drafts, newDrafts } from "./inspect-page.ts";
import { pageWith } from "./page-with.ts";
import type { PluginDefinition } from "./plugin.ts";
import { hooksOf } from "./plugin-hooks.ts";

const REPORTED_CHANGES: ReadonlySet<Change> = new Set(["new", "changed", "unlinked"]);

/** The plugins of one run and their life cycle. */
export class PluginHost {
  readonly #plugins: readonly PluginDefinition[];
  readonly #guard: HookGuard;
  readonly #ended = new AbortController();

  constructor(plugins: readonly PluginDefinition[], options: { isStrict: boolean; patience?: number | undefined }) {
    this.#plugins = plugins;
    this.#guard = new HookGuard({ names: plugins.map(({ name }) => name), ...options });
  }

  /** Validates what can be validated without a page. */
  async check(): Promise<void> {
    if (!this.#plugins.some(({ onHtml }) => onHtml)) return;
    const { selectorProblem } = await import("./html-selectors.ts");
    for (const { name, onHtml = {} } of this.#plugins)
      for (const selector of Object.keys(onHtml)) {
        const problem = selectorProblem(selector);
        if (problem === undefined) continue;
        throw new SetupError(
          `plugin ${name}: onHtml ${JSON.stringify(selector)} is not a CSS selector: ${problem}`,
          'write one such as "h1", "a.next" or "meta[name=price]"',
        );
      }
  }

  async open(seeds: readonly string[]): Promise<Hooks> {
    const { signal } = this.#ended;
    for (const plugin of this.#plugins)
      if (plugin.setup) await this.#guard.run(plugin.name, "setup", () => plugin.setup?.({ seeds: [...seeds], signal }));
    const added: string[] = [];
    for (const plugin of this.#plugins) added.push(...(await this.#seedsBy(plugin)));
    return hooksOf(this.#plugins, this.#guard, added);
  }

  async #seedsBy(plugin: PluginDefinition): Promise<string[]> {
    const found = await this.#guard.run(plugin.name, "seeds", async () => {
      const urls: string[] = [];
      for await (const url of plugin.seeds?.() ?? []) urls.push(String(url));
      return urls;
    });
    return (found ?? []).flatMap((url) => {
      const parsed = parseHttp(url);
      if (!parsed) this.#guard.recordError(plugin.name, "seeds", `${url} is not a URL that can be crawled`);
      return parsed?.href ?? [];
    });
  }

  /** Calls `onChange` of all plugins for a page that is gone. */
  async gone(page: Page): Promise<void> {
    await Promise.all(
      this.#plugins.map(
        (plugin) => plugin.onChange && this.#guard.run(plugin.name, "onChange", () => plugin.onChange?.(pageWith(page, {}), undefined)),
      ),
    );
  }

  /** Calls the page hooks of all plugins concurrently; returns their validated data. */
  async finish(page: Page, gathered: Drafts | undefined, diffOf: (page: Page) => Promise<PageDiff | undefined>): Promise<object> {
    const drafts = gathered ?? newDrafts(this.#plugins);
    const isWanted = page.change === "changed" && this.#plugins.some(({ onChange }) => onChange);
    const diff = isWanted ? await diffOf(page) : undefined;
    const allData = () => Object.assign({}, ...this.#plugins.map((plugin) => drafts.get(plugin))) as object;
    const callHooks = async (plugin: PluginDefinition) => {
      const seen = pageWith(page, drafts.get(plugin) ?? {}, allData);
      if (plugin.onPage) await this.#guard.run(plugin.name, "onPage", () => plugin.onPage?.(seen));
      if (plugin.onChange && REPORTED_CHANGES.has(page.change))
        await this.#guard.run(plugin.name, "onChange", () => plugin.onChange?.(seen, diff));
      return this.#checked(plugin, seen.data);
    };
    return Object.assign({}, ...(await Promise.all(this.#plugins.map(callHooks)))) as object;
  }

  /** Data that does not match its schema is left out. */
  async #checked(plugin: PluginDefinition, draft: unknown): Promise<object> {
    const { data: schema, name } = plugin;
    if (!schema) return typeof draft === "object" && draft !== null ? draft : {};
    const verdict = await this.#guard.run(name, "data", () => check(schema, draft));
    if (verdict && "data" in verdict) return verdict.data;
    // A hook may have replaced the draft by any value.
    const isEmpty = typeof draft === "object" && draft !== null && Object.keys(draft).length === 0;
    if (verdict && !isEmpty) this.#guard.recordError(name, "data", verdict.problem);
    const emptyResult = isEmpty ? undefined : await this.#guard.run(name, "data", () => check(schema, {}));
    return emptyResult && "data" in emptyResult ? emptyResult.data : {};
  }

  async end(result: RunResult): Promise<void> {
    await Promise.all(
      this.#plugins.map((plugin) => plugin.onRunEnd && this.#guard.run(plugin.name, "onRunEnd", () => plugin.onRunEnd?.(result))),
    );
  }

  async close(): Promise<void> {
    this.#ended.abort();
    for (const plugin of this.#plugins.toReversed())
      if (plugin.teardown) await this.#guard.run(plugin.name, "teardown", () => plugin.teardown?.());
  }

  report(): Record<string, PluginReport> {
    return this.#guard.report();
  }
}
