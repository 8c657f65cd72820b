import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Folder for files that are not complete yet. Old files in it are from killed processes. */
export const PARTS_FOLDER = "parts";
const MAX_PARALLEL = 8;

const partOf = (directory: string) => join(directory, PARTS_FOLDER, randomBytes(12).toString("hex"));

/** Writes to a temporary file, syncs and renames, so that a file under its final name is complete and on disk even after a crash. */
export async function writeAtomically(directory: string, files: readonly (readonly [name: string, data: Uint8Array])[]): Promise<void> {
  const changed = new Set<string>();
  await inParallel(files, async ([name, data]) => {
    const part = partOf(directory);
    await openAndSync(part, "wx", (file) => file.writeFile(data));
    const [path, folder] = [join(directory, name), dirname(join(directory, name))];
    changed.add(folder);
    await rename(part, path).catch(async (cause: NodeJS.ErrnoException) => {
      if (cause.code !== "ENOENT") throw cause;
      await mkdir(folder, { recursive: true });
      for (const parent of [dirname(folder), directory]) changed.add(parent);
      await rename(part, path);
    });
  });
  await inParallel([...changed], (folder) => openAndSync(folder, "r"));
}

/** Synchronous version for one file. */
export function writeAtomicallySync(directory: string, name: string, data: Uint8Array): void {
  const part = partOf(directory);
  openAndSyncNow(part, "wx", (file) => {
    for (let from = 0; from < data.length; ) from += writeSync(file, data, from);
  });
  const folder = dirname(join(directory, name));
  mkdirSync(folder, { recursive: true });
  renameSync(part, join(directory, name));
  for (const changed of [folder, dirname(folder), directory]) openAndSyncNow(changed, "r");
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, worker));
}

async function openAndSync(path: string, flags: string, work?: (file: Awaited<ReturnType<typeof open>>) => Promise<void>): Promise<void> {
  const file = await open(path, flags);
  try {
    await work?.(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

function openAndSyncNow(path: string, flags: string, work?: (file: number) => void): void {
  const file = openSync(path, flags);
  try {
    work?.(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
