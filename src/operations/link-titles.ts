import { unpackLinks } from "../crawl/index.ts";
import type { Page } from "../records.ts";
import type { Store } from "../store/index.ts";

/** Pages whose links are at hand. */
const MOST_PAGES = 50;

/** What pages call the places they link to. The links of the latest pages are at hand: a page's links are told right after it. */
export class LinkTitles {
  readonly #store: Store;
  readonly #pages = new Map<string, Page>();
  readonly #titles = new Map<string, ReadonlyMap<string, string>>();

  constructor(store: Store) {
    this.#store = store;
  }

  add(page: Page): void {
    this.#pages.set(page.url, page);
  }

  async of(from: string, url: string): Promise<string> {
    const page = this.#pages.get(from);
    if (!page) return "";
    const titles = this.#titles.get(from) ?? (await this.#read(page));
    return titles.get(url) ?? "";
  }

  async #read(page: Page): Promise<ReadonlyMap<string, string>> {
    const packed = await this.#store.packedLinks(page.id);
    const titles = new Map<string, string>();
    const links = packed ? unpackLinks(packed.links(), this.#store.hashSeed) : [];
    for (const { url, text } of links) if (!titles.get(url)) titles.set(url, text);
    if (this.#titles.size >= MOST_PAGES) this.#titles.clear();
    this.#titles.set(page.url, titles);
    return titles;
  }
}
