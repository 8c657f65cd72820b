import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { Reader } from "../crawl/index.ts";
import { fill, readAgain } from "../enhance/index.ts";
import type { FreshBody } from "./enrich-batch.ts";
import { pageByUrl } from "./find.ts";
import { openStoredReader } from "./stored-reader.ts";

/** Updates the metadata of stored pages from bodies that were just fetched. Does not change pages or versions. */
export class MetadataKeeper {
  readonly #app: App;
  readonly #config: Config;
  #reader: Promise<Reader> | undefined;

  constructor(app: App, config: Config) {
    this.#app = app;
    this.#config = config;
  }

  async keep({ url, bytes, contentType }: FreshBody): Promise<void> {
    const { store, world } = this.#app;
    const stored = await pageByUrl(this.#app, url);
    if (!stored) return;
    const [page] = await store.metadata.toFill({ pageIds: [stored.id], hasBody: false }, { after: 0, limit: 1 });
    if (!page) return;
    this.#reader ??= openStoredReader(this.#app, this.#config);
    const tools = { store, reader: await this.#reader, clock: world.clock };
    // A copy, because the reader transfers the bytes to its thread.
    const read = await readAgain({ url, contentType, bytes: Uint8Array.from(bytes) }, tools);
    await fill([{ ...page, read }], tools, true);
  }

  async close(): Promise<void> {
    await (await this.#reader)?.close();
  }
}
