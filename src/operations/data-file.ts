import { existsSync } from "node:fs";
import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import { StorageError } from "../store/index.ts";

export interface FileReport {
  readonly bytes: number;
  readonly runs: number;
  readonly sites: number;
  readonly pages: number;
  /** Descriptions of the problems found. */
  readonly problems: readonly string[];
}

/** Checks the whole data file. */
export async function checkFile(app: App): Promise<FileReport> {
  const problems = await app.store.care.problems();
  const { bytes } = await app.store.care.size();
  if (problems.length > 0) return { bytes, runs: 0, sites: 0, pages: 0, problems };
  const sites = await app.store.care.siteSummaries();
  const runs = (await app.store.runs({})).length;
  return { bytes, runs, sites: sites.length, pages: sites.reduce((sum, { pages }) => sum + pages, 0), problems };
}

/** Rewrites the file without unused pages. No crawl may be running on it. */
export async function vacuumFile(app: App): Promise<{ before: number; after: number }> {
  const atWork = (await app.store.runs({})).find((run) => app.store.isAlive(run));
  if (atWork) throw new StorageError(`run ${atWork.id} is still at work`, `wait for it, or stop it with nuthatch runs stop ${atWork.id}`);
  const before = (await app.store.care.size()).bytes;
  await app.store.care.vacuum();
  return { before, after: (await app.store.care.size()).bytes };
}

/** Copies the file to this path. Never overwrites a file. */
export async function backupFile(app: App, path: string): Promise<void> {
  if (existsSync(path)) throw new SetupError(`${path} exists already`, "choose another name: a backup never replaces a file");
  await app.store.care.backup(path);
}
