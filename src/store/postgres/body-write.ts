import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Files that are not whole yet; what lies there long was left by somebody who was killed. */
export const PARTS = "parts";

const partOf = (directory: string) => join(directory, PARTS, randomBytes(12).toString("hex"));

/** A file under its name is whole and on disk, whenever the machine stops. */
export async function writeWhole(directory: string, name: string, data: Uint8Array): Promise<void> {
  const part = partOf(directory);
  const file = await open(part, "wx");
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  const folder = dirname(join(directory, name));
  const made = await mkdir(folder, { recursive: true });
  await rename(part, join(directory, name));
  for (const changed of changedBy(directory, folder, made)) await syncFolder(changed);
}

/** The same while nothing else goes on. */
export function writeWholeNow(directory: string, name: string, data: Uint8Array): void {
  const part = partOf(directory);
  const file = openSync(part, "wx");
  try {
    for (let from = 0; from < data.length; ) from += writeSync(file, data, from);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const folder = dirname(join(directory, name));
  const made = mkdirSync(folder, { recursive: true });
  renameSync(part, join(directory, name));
  for (const changed of changedBy(directory, folder, made)) syncFolderNow(changed);
}

/** Folders with a new name in them. */
const changedBy = (directory: string, folder: string, made: string | undefined): string[] =>
  made === undefined ? [folder] : [folder, dirname(folder), directory];

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function syncFolderNow(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
