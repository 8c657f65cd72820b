import { open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface PageFile {
  readonly url: string;
  readonly depth: number;
  readonly body: Uint8Array;
}

const MARK = ".crawler";

/** A page directory of the Tiny Search Engine: the mark that says it is one, then files 1, 2, 3… in the order they are saved. */
export class PageDirectory {
  readonly #path: string;
  #saved = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  /** What the folder holds under a name that would be written, whatever it is: pages of another crawl would count as pages of this one. */
  static async namesTaken(path: string): Promise<string[]> {
    const names = (await readdir(path)).filter((name) => name === MARK || /^[1-9]\d*$/.test(name));
    return names.sort((a, b) => Number(a) - Number(b) || a.localeCompare(b));
  }

  /** Fails where there is a mark already, so that two crawls never share a directory. */
  static async open(path: string): Promise<PageDirectory> {
    await writeFile(join(path, MARK), "", { flag: "wx" });
    return new PageDirectory(path);
  }

  get saved(): number {
    return this.#saved;
  }

  /** URL, depth, and the contents unchanged. */
  async save({ url, depth, body }: PageFile): Promise<void> {
    const path = join(this.#path, String(this.#saved + 1));
    const file = await open(path, "wx");
    try {
      await file.writeFile(Buffer.concat([Buffer.from(`${url}\n${depth}\n`), body]));
    } catch (cause) {
      // Half a page would be read as a whole one.
      await rm(path, { force: true });
      throw Object.assign(cause as NodeJS.ErrnoException, { path });
    } finally {
      await file.close();
    }
    this.#saved += 1;
  }

  /** Takes the mark away if no page was saved, so that the same crawl can be tried again. */
  async close(): Promise<void> {
    if (this.#saved === 0) await rm(join(this.#path, MARK), { force: true });
  }
}
