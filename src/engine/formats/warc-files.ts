import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { cdxjLine } from "./cdxj.ts";
import { SortedLines } from "./sorted-lines.ts";
import { type Capture, warcInfo, warcRecords } from "./warc.ts";

export const ARCHIVE_ENDING = ".warc.gz";

/** The usual limit among archivists; larger files are hard to handle. */
const MAX_FILE_BYTES = 1024 ** 3;

export interface ArchiveSetup {
  /** Name and version of the writing software. */
  readonly software: string;
  readonly now: string;
  readonly largest?: number | undefined;
}

/** `site.warc.gz`, `site-2.warc.gz`, … */
export const archivePart = (path: string, part: number): string =>
  part === 1 ? path : `${path.slice(0, -ARCHIVE_ENDING.length)}-${part}${ARCHIVE_ENDING}`;

export const archiveIndex = (path: string): string => `${path.slice(0, -ARCHIVE_ENDING.length)}.cdxj`;

/** The existing files of an archive, including its index. */
export function archiveFiles(path: string): string[] {
  const found = [archiveIndex(path), path].filter((file) => existsSync(file));
  for (let part = 2; existsSync(archivePart(path, part)); part += 1) found.push(archivePart(path, part));
  return found;
}

/** Writes an archive and its index: one file, or several, each with its own warcinfo record. */
export class WarcFiles {
  readonly #path: string;
  readonly #setup: ArchiveSetup;
  readonly #index: SortedLines;
  #file: number;
  #size = 0;
  parts = 1;

  /** Replaces an existing archive. */
  constructor(path: string, setup: ArchiveSetup) {
    this.#path = path;
    this.#setup = setup;
    this.#file = openSync(path, "w");
    for (const file of archiveFiles(path)) if (file !== path) rmSync(file);
    this.#index = new SortedLines(archiveIndex(path));
    this.#writeInfoRecord();
  }

  /** A request and its response stay in the same file. */
  add(capture: Capture): void {
    const records = warcRecords(capture);
    const size = records.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (this.#size + size > (this.#setup.largest ?? MAX_FILE_BYTES)) this.#startNextFile();
    for (const { bytes, entry } of records) {
      if (entry) this.#index.add(cdxjLine(entry, { offset: this.#size, length: bytes.length, filename: this.#filename }));
      this.#write(bytes);
    }
  }

  close(): void {
    closeSync(this.#file);
    this.#index.close();
  }

  get #filename(): string {
    return basename(archivePart(this.#path, this.parts));
  }

  #startNextFile(): void {
    closeSync(this.#file);
    this.parts += 1;
    this.#size = 0;
    this.#file = openSync(archivePart(this.#path, this.parts), "w");
    this.#writeInfoRecord();
  }

  #writeInfoRecord(): void {
    const { software, now } = this.#setup;
    this.#write(warcInfo({ at: now, software, filename: this.#filename }).bytes);
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#size += bytes.length;
  }
}
