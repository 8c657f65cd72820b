import type { Link, Page } from "../../core/records.ts";
import { unpackLinks } from "../../engine/crawl/index.ts";
import type { Store } from "../../store/index.ts";

/** Number of pages whose link texts are cached. */
const MAX_CACHED_PAGES = 50;

/** Link texts by target. The latest pages are cached, because the events for a page's links follow its own. */
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

  /** All link texts of each target, joined. */
  async words(): Promise<ReadonlyMap<string, string>> {
    const words = new Map<string, string>();
    for (const page of this.#pages.values())
      for (const { url, text } of await this.#links(page)) words.set(url, `${words.get(url) ?? ""} ${text}`);
    return words;
  }

  async #links({ id }: Page): Promise<readonly Link[]> {
    const packed = await this.#store.packedLinks(id);
    return packed ? unpackLinks(packed.links(), this.#store.hashSeed) : [];
  }

  async #read(page: Page): Promise<ReadonlyMap<string, string>> {
    const titles = new Map<string, string>();
    for (const { url, text } of await this.#links(page)) if (!titles.get(url)) titles.set(url, text);
    if (this.#titles.size >= MAX_CACHED_PAGES) this.#titles.clear();
    this.#titles.set(page.url, titles);
    return titles;
  }
}
