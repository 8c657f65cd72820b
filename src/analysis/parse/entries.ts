/** The entries of a sitemap or feed in any dialect: each has a URL, and possibly a date and a title. */
import { parseLastmod } from "./lastmod.ts";
import { cut, tidy, wellFormed } from "./markdown/tidy.ts";
import { attributeOf, readXml, UNKNOWN, type XmlListener } from "./xml-tokens.ts";

export type FeedKind = "urlset" | "index" | "rss" | "atom";

export interface FeedEntry {
  readonly url: string;
  readonly lastmod: number | undefined;
  readonly title: string;
}

export interface Entries {
  kind: FeedKind | undefined;
  /** The title of the whole feed. */
  title: string;
  readonly entries: FeedEntry[];
}

const roots = new Map<string, FeedKind>([
  ["urlset", "urlset"],
  ["sitemapindex", "index"],
  ["rss", "rss"],
  ["RDF", "rss"],
  ["feed", "atom"],
]);
const entryNames: Record<FeedKind, string> = { urlset: "url", index: "sitemap", rss: "item", atom: "entry" };
/** In order of preference. */
const dateNames = ["lastmod", "updated", "pubDate", "date", "published", "modified"];
const textNames = new Set(["loc", "link", "guid", "title", ...dateNames]);
/** Texts longer than this are no URL, date or title. */
const MAX_TEXT = 8192;

export function readEntries(xml: string, limit: number): Entries {
  const reader = new EntryReader(limit);
  readXml(xml, reader);
  reader.endEntry();
  return reader.found;
}

class EntryReader implements XmlListener {
  readonly found: Entries = { kind: undefined, title: "", entries: [] };
  readonly #limit: number;
  #prefix = "";
  #entry: { urls: string[]; guid: string; dates: Map<string, string>; title: string } | undefined;
  #collecting: string | undefined;
  #text = "";

  constructor(limit: number) {
    this.#limit = limit;
  }

  open(name: string, tag: string): void {
    const colon = name.indexOf(":");
    const prefix = name.slice(0, colon + 1);
    const local = name.slice(colon + 1);
    if (this.found.kind === undefined) {
      this.#openRoot(prefix, local);
      return;
    }
    // image:loc and video:player_loc are not pages; dc:date is a date all the same.
    const isOurs = prefix === this.#prefix || (prefix === "dc:" && local === "date");
    if (!isOurs) return;
    if (local === entryNames[this.found.kind]) this.#openEntry(attributeOf(tag, "rdf:about"));
    else if (local === "link" && this.found.kind === "atom") this.#heardAtomLink(tag);
    else if (textNames.has(local)) this.#collect(local, tag);
  }

  close(name: string): void {
    const colon = name.indexOf(":");
    const local = name.slice(colon + 1);
    if (this.#collecting === local) this.#finishText();
    else if (this.found.kind !== undefined && name === this.#prefix + entryNames[this.found.kind]) this.endEntry();
  }

  get wantsText(): boolean {
    return this.#collecting !== undefined && this.#text.length < MAX_TEXT;
  }

  text(text: string): void {
    this.#text += text;
  }

  endEntry(): void {
    this.#finishText();
    const entry = this.#entry;
    this.#entry = undefined;
    if (entry === undefined) return;
    const date = dateNames.map((name) => entry.dates.get(name)).find((text) => text !== undefined && text !== "");
    const lastmod = date === undefined ? undefined : parseLastmod(date);
    const urls = entry.urls.length > 0 || entry.guid === "" ? entry.urls : [entry.guid];
    for (const url of urls) {
      if (this.found.entries.length < this.#limit) this.found.entries.push({ url, lastmod, title: entry.title });
    }
  }

  /** Warnings of a broken server may precede the real root element. */
  #openRoot(prefix: string, local: string): void {
    this.found.kind = roots.get(local);
    // RSS 1.0 has rdf:RDF as its root, but its items have no prefix.
    this.#prefix = local === "RDF" ? "" : prefix;
  }

  #openEntry(about: string | undefined): void {
    this.endEntry();
    this.#entry = { urls: [], guid: about ?? "", dates: new Map(), title: "" };
  }

  #heardAtomLink(tag: string): void {
    const rel = attributeOf(tag, "rel") ?? "alternate";
    const href = attributeOf(tag, "href")?.trim();
    if (rel === "alternate" && href && this.#entry?.urls.length === 0) this.#entry.urls.push(href);
  }

  #collect(local: string, tag: string): void {
    this.#finishText();
    if (local === "guid" && attributeOf(tag, "isPermaLink") === "false") return;
    this.#collecting = local;
    this.#text = "";
  }

  #finishText(): void {
    const local = this.#collecting;
    const text = this.#text.trim();
    this.#collecting = undefined;
    this.#text = "";
    if (local === undefined || text === "" || text.includes(UNKNOWN)) return;
    if (this.#entry === undefined) {
      if (local === "title" && this.found.title === "") this.found.title = tidyTitle(text);
    } else if (local === "title") this.#entry.title ||= tidyTitle(text);
    else if (local === "loc" || local === "link") this.#entry.urls.push(text);
    else if (local === "guid") this.#entry.guid = /^https?:\/\//i.test(text) ? text : this.#entry.guid;
    else if (!this.#entry.dates.has(local)) this.#entry.dates.set(local, text);
  }
}

const tidyTitle = (text: string) => cut(tidy(wellFormed(cut(text, 1000).replace(/<[^<>]*>/g, ""))), 200);
