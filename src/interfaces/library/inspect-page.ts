import { decodeBytes, sniffType } from "../../analysis/parse/index.ts";
import { parseHttp } from "../../analysis/url/index.ts";
import type { Hooks, PageBody } from "../../engine/crawl/index.ts";
import type { HookGuard } from "./hook-guard.ts";
import type { HtmlElement, PluginDefinition, VisitedPage } from "./plugin.ts";

/** Data that each plugin has collected from a page so far. */
export type Drafts = ReadonlyMap<PluginDefinition, Record<string, unknown>>;

export const newDrafts = (plugins: readonly PluginDefinition[]): Drafts => new Map(plugins.map((plugin) => [plugin, {}]));

interface Opened {
  readonly isHtml: boolean;
  readonly text: string;
}

/** Offers a page to the plugins: its HTML elements to `onHtml`, its text to `extractLinks`. */
export function inspectPageWith(plugins: readonly PluginDefinition[], guard: HookGuard): NonNullable<Hooks["look"]> {
  return async ({ url, depth }, body) => {
    const data = newDrafts(plugins);
    const links: string[] = [];
    const opened = open(url, body);
    if (!opened) return { data, links };
    let html: Promise<(selector: string) => HtmlElement[]> | undefined;
    // The parser is loaded when the first plugin needs it.
    const parse = async () => (await import("./html-selectors.ts")).openHtml(opened.text);
    for (const plugin of plugins) {
      const { status, contentType } = body;
      const page: VisitedPage<Record<string, unknown>> = { url, depth, status, contentType, data: data.get(plugin)! };
      if (plugin.onHtml && opened.isHtml) {
        html ??= parse();
        const select = await guard.run(plugin.name, "onHtml", () => html);
        if (select) await callHtmlHooks(plugin, select, page, guard);
      }
      if (plugin.extractLinks) links.push(...(await linksBy(plugin, { url, contentType, text: opened.text }, guard)));
    }
    return { data, links };
  };
}

function open(url: string, { bytes, contentType }: PageBody): Opened | undefined {
  const type = bytes.length === 0 ? "binary" : sniffType(bytes, contentType, url);
  if (type === "binary") return undefined;
  const kind = type === "html" ? "html" : type === "feed" || type === "sitemap" ? "xml" : "text";
  return { isHtml: type === "html", text: decodeBytes(bytes, contentType, kind).text };
}

async function callHtmlHooks(
  { name, onHtml }: PluginDefinition,
  select: (selector: string) => HtmlElement[],
  page: VisitedPage<Record<string, unknown>>,
  guard: HookGuard,
): Promise<void> {
  for (const [selector, call] of Object.entries(onHtml ?? {})) {
    const hook = `onHtml ${selector}`;
    const elements = guard.runSync(name, hook, () => select(selector)) ?? [];
    await guard.run(name, hook, async (yieldStep) => {
      for (const element of elements) {
        await call(element, page);
        await yieldStep();
      }
    });
  }
}

async function linksBy(
  plugin: PluginDefinition,
  { url, contentType, text }: { url: string; contentType: string | undefined; text: string },
  guard: HookGuard,
): Promise<string[]> {
  const found = await guard.run(plugin.name, "extractLinks", async () => {
    const links = await plugin.extractLinks?.({ url: new URL(url), contentType, text });
    return links === undefined ? [] : [...links].map(String);
  });
  return (found ?? []).flatMap((link) => {
    const parsed = parseHttp(link, url);
    if (!parsed) guard.recordError(plugin.name, "extractLinks", `${link} is not a URL that can be crawled`);
    return parsed?.href ?? [];
  });
}
