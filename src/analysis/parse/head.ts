/** Metadata that a page declares: title, description, language, base, robots, refresh, canonical. */
import type { Found } from "../../core/records.ts";
import type { Attributes } from "./attributes.ts";
import { cut, tidy } from "./markdown/tidy.ts";
import { parseRefresh, type Refresh } from "./refresh.ts";

const MAX_TITLE = 500;
const MAX_DESCRIPTION = 2000;
const MAX_ROBOTS = 50;

// Metas addressed to a robot carry its name: googlebot, bingbot, slurp, nuthatch and their like.
const robotName = /^(?:robots|[\w-]*(?:bot|spider|crawler)[\w-]*|slurp|teoma|nuthatch)$/;

export class Head {
  baseHref: string | undefined;
  lang: Found<string> | undefined;
  canonicalHref: string | undefined;
  /** The declared kind of page: article, product, website… */
  type: Found<string> | undefined;
  refresh: Refresh | undefined;
  readonly robots: { name: string; content: string }[] = [];
  // Order is policy: the first that was found wins.
  readonly #titles = new Map<string, string>();
  readonly #descriptions = new Map<string, string>();

  get title(): Found<string> | undefined {
    return firstOf(this.#titles, ["title", "h1", "og:title"]);
  }

  get description(): Found<string> | undefined {
    return firstOf(this.#descriptions, ["meta:description", "og:description"]);
  }

  heardTitle(source: string, text: string): void {
    keepFirst(this.#titles, source, cut(tidy(text), MAX_TITLE));
  }

  heardHtml(attributes: Attributes): void {
    const lang = tidy(attributes.get("lang") ?? attributes.get("xml:lang") ?? "");
    if (lang !== "" && lang.length <= 64) this.lang ??= { value: lang, source: "html:lang" };
  }

  heardBase(attributes: Attributes): void {
    this.baseHref ??= attributes.get("href");
  }

  /** Returns the target of a refresh, if this is the one that counts. */
  heardMeta(attributes: Attributes, isInNoscript: boolean): Refresh | undefined {
    const content = attributes.get("content");
    if (content === undefined) return undefined;
    // A refresh in <noscript> tells browsers without scripts to leave; it is not where the page went.
    if (attributes.get("http-equiv")?.toLowerCase() === "refresh") return isInNoscript ? undefined : this.#heardRefresh(content);
    const name = (attributes.get("name") ?? attributes.get("property") ?? "").trim().toLowerCase();
    if (name === "description") keepFirst(this.#descriptions, "meta:description", cut(tidy(content), MAX_DESCRIPTION));
    else if (name === "og:description") keepFirst(this.#descriptions, name, cut(tidy(content), MAX_DESCRIPTION));
    else if (name === "og:title") this.heardTitle(name, content);
    else if (name === "og:type" && content !== "") this.type ??= { value: cut(tidy(content).toLowerCase(), 64), source: name };
    else if (name.length < 64 && robotName.test(name) && this.robots.length < MAX_ROBOTS) {
      this.robots.push({ name, content: cut(tidy(content), MAX_DESCRIPTION) });
    }
    return undefined;
  }

  #heardRefresh(content: string): Refresh | undefined {
    if (this.refresh !== undefined) return undefined;
    this.refresh = parseRefresh(content);
    return this.refresh;
  }
}

function keepFirst(found: Map<string, string>, source: string, value: string): void {
  if (value !== "" && !found.has(source)) found.set(source, value);
}

function firstOf(found: ReadonlyMap<string, string>, order: readonly string[]): Found<string> | undefined {
  const source = order.find((candidate) => found.has(candidate));
  return source === undefined ? undefined : { value: found.get(source)!, source };
}
