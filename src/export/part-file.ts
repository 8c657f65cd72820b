import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";

const BUFFER = 64 * 1024;

/** Text that grows on the disk, to be put behind other text when all of it is there. */
export class PartFile {
  readonly #path: string;
  readonly #file: number;
  #waiting: string[] = [];
  #length = 0;

  constructor(path: string) {
    this.#path = path;
    rmSync(path, { force: true }); // what somebody left who was killed, or a link
    this.#file = openSync(path, "wx+");
  }

  add(text: string): void {
    this.#waiting.push(text);
    this.#length += text.length;
    if (this.#length >= BUFFER) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.from(this.#waiting.join(""));
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#waiting = [];
    this.#length = 0;
  }

  /** All of it behind what stands in another file. */
  copyTo(file: number): void {
    this.#flush();
    const bytes = Buffer.alloc(BUFFER);
    for (let at = 0; ; ) {
      const count = readSync(this.#file, bytes, 0, BUFFER, at);
      if (count === 0) return;
      for (let done = 0; done < count; ) done += writeSync(file, bytes, done, count - done);
      at += count;
    }
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  remove(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}
