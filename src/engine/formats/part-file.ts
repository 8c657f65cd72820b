import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";

const BUFFER_BYTES = 64 * 1024;

/** Text collected in a temporary file, to be appended to another file when it is complete. */
export class PartFile {
  readonly #path: string;
  readonly #file: number;
  #buffered: string[] = [];
  #length = 0;

  constructor(path: string) {
    this.#path = path;
    rmSync(path, { force: true }); // left by a killed process, or a symbolic link
    this.#file = openSync(path, "wx+");
  }

  add(text: string): void {
    this.#buffered.push(text);
    this.#length += text.length;
    if (this.#length >= BUFFER_BYTES) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.from(this.#buffered.join(""));
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#buffered = [];
    this.#length = 0;
  }

  /** Appends the whole text to another file. */
  copyTo(file: number): void {
    this.#flush();
    const bytes = Buffer.alloc(BUFFER_BYTES);
    for (let at = 0; ; ) {
      const count = readSync(this.#file, bytes, 0, BUFFER_BYTES, at);
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
