import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface PageFile {
  readonly url: string;
  readonly depth: number;
  readonly body: Uint8Array;
}

/** A page directory of the Tiny Search Engine: the mark that says it is one, then files 1, 2, 3… in the order they are saved. */
export class PageDirectory {
  readonly #path: string;
  #saved = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  static async open(path: string): Promise<PageDirectory> {
    await writeFile(join(path, ".crawler"), "");
    return new PageDirectory(path);
  }

  get saved(): number {
    return this.#saved;
  }

  /** URL, depth, and the contents unchanged. */
  async save({ url, depth, body }: PageFile): Promise<void> {
    this.#saved += 1;
    await writeFile(join(this.#path, String(this.#saved)), Buffer.concat([Buffer.from(`${url}\n${depth}\n`), body]));
  }
}
