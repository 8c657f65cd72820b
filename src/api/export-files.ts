/** Where exports lie until they are fetched: in a folder beside the data file, for a day. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FormatName } from "../operations/export-formats.ts";
import { isPostgres, type Job } from "../store/index.ts";

const DAY = 24 * 3_600_000;

/** Where there is no file it lies where the server was started. */
export const exportFolder = (db: string): string => (isPostgres(db) ? "nuthatch.exports" : `${db}.exports`);

export const exportPath = (db: string, { uid, input }: Pick<Job, "uid" | "input">): string =>
  join(exportFolder(db), `${uid}.${input.format}`);

/** An archive is packed record by record, whatever else is said. */
export const isPacked = (format: FormatName): boolean => format === "warc";

export const endingOf = (format: FormatName, compress?: unknown): string =>
  `.${format}${isPacked(format) || compress === "gz" ? ".gz" : ""}`;

/** What nobody has fetched within a day goes. */
export function sweepExports(db: string, now: number): void {
  const folder = exportFolder(db);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (now - statSync(path).mtimeMs > DAY) rmSync(path, { recursive: true, force: true });
  }
}
