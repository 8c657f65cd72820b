/** Export files are kept for a day, in a folder beside the data file. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FormatName } from "../../features/export/export-formats.ts";
import { isPostgres, type Job } from "../../store/index.ts";

const DAY_MS = 24 * 3_600_000;

/** A PostgreSQL database has no folder: exports then go to the working directory of the server. */
export const exportFolder = (db: string): string => (isPostgres(db) ? "nuthatch.exports" : `${db}.exports`);

export const exportPath = (db: string, { uid, input }: Pick<Job, "uid" | "input">): string =>
  join(exportFolder(db), `${uid}.${input.format}`);

/** WARC is always compressed, record by record. */
export const isCompressed = (format: FormatName): boolean => format === "warc";

export const extensionOf = (format: FormatName, compress?: unknown): string =>
  `.${format}${isCompressed(format) || compress === "gz" ? ".gz" : ""}`;

/** Deletes exports older than a day. */
export function sweepExports(db: string, now: number): void {
  const folder = exportFolder(db);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (now - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}
