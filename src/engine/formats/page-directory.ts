import { open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface PageFile {
  readonly url: string;
  readonly depth: number;
  readonly body: Uint8Array;
}

const MARKER_FILE = ".crawler";

/** A page directory of the Tiny Search Engine: a marker file, then files 1, 2, 3… in the order they are saved. */
export class PageDirectory {
  readonly #path: string;
  #saved = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Names in the folder that this crawl could write. Pages of another crawl would count as pages of this one. */
  static async existingFiles(path: string): Promise<string[]> {
    const names = (await readdir(path)).filter((name) => name === MARKER_FILE || /^[1-9]\d*$/.test(name));
    return names.sort((a, b) => Number(a) - Number(b) || a.localeCompare(b));
  }

  /** Fails if the marker exists, so that two crawls never share a directory. */
  static async open(path: string): Promise<PageDirectory> {
    await writeFile(join(path, MARKER_FILE), "", { flag: "wx" });
    return new PageDirectory(path);
  }

  get saved(): number {
    return this.#saved;
  }

  /** Writes URL, depth, and the unchanged contents. */
  async save({ url, depth, body }: PageFile): Promise<void> {
    const path = join(this.#path, String(this.#saved + 1));
    const file = await open(path, "wx");
    try {
      await file.writeFile(Buffer.concat([Buffer.from(`${url}\n${depth}\n`), body]));
    } catch (cause) {
      // A partly written page would be read as a whole one.
      await rm(path, { force: true });
      throw Object.assign(cause as NodeJS.ErrnoException, { path });
    } finally {
      await file.close();
    }
    this.#saved += 1;
  }

  /** Removes the marker if no page was saved, so that the same crawl can be tried again. */
  async close(): Promise<void> {
    if (this.#saved === 0) await rm(join(this.#path, MARKER_FILE), { force: true });
  }
}
