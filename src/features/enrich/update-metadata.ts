import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { Reader } from "../../engine/crawl/index.ts";
import { fill, rereadPage } from "../../engine/enhance/index.ts";
import { pageByUrl } from "../pages/find.ts";
import { openStoredReader } from "../pages/stored-reader.ts";
import type { FreshBody } from "./enrich-batch.ts";

/** Updates the metadata of stored pages from bodies that were just fetched. Does not change pages or versions. */
export class MetadataUpdater {
  readonly #app: App;
  readonly #config: Config;
  #reader: Promise<Reader> | undefined;

  constructor(app: App, config: Config) {
    this.#app = app;
    this.#config = config;
  }

  async update({ url, bytes, contentType }: FreshBody): Promise<void> {
    const { store, world } = this.#app;
    const stored = await pageByUrl(this.#app, url);
    if (!stored) return;
    const [page] = await store.metadata.pagesToFill({ pageIds: [stored.id], hasBody: false }, { after: 0, limit: 1 });
    if (!page) return;
    this.#reader ??= openStoredReader(this.#app, this.#config);
    const tools = { store, reader: await this.#reader, clock: world.clock };
    // A copy, because the reader transfers the bytes to its thread.
    const read = await rereadPage({ url, contentType, bytes: Uint8Array.from(bytes) }, tools);
    await fill([{ ...page, read }], tools, true);
  }

  async close(): Promise<void> {
    await (await this.#reader)?.close();
  }
}
