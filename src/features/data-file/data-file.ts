import { existsSync } from "node:fs";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import { StorageError } from "../../store/index.ts";

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
  const problems = await app.store.maintenance.problems();
  const { bytes } = await app.store.maintenance.size();
  if (problems.length > 0) return { bytes, runs: 0, sites: 0, pages: 0, problems };
  const sites = await app.store.maintenance.siteSummaries();
  const runs = (await app.store.runs({})).length;
  return { bytes, runs, sites: sites.length, pages: sites.reduce((sum, { pages }) => sum + pages, 0), problems };
}

/** Rewrites the file without unused pages. No crawl may be running on it. */
export async function vacuumFile(app: App): Promise<{ before: number; after: number }> {
  const atWork = (await app.store.runs({})).find((run) => app.store.isAlive(run));
  if (atWork) throw new StorageError(`run ${atWork.id} is still at work`, `wait for it, or stop it with nuthatch runs stop ${atWork.id}`);
  const before = (await app.store.maintenance.size()).bytes;
  await app.store.maintenance.vacuum();
  return { before, after: (await app.store.maintenance.size()).bytes };
}

/** Copies the file to this path. Never overwrites a file. */
export async function backupFile(app: App, path: string): Promise<void> {
  if (existsSync(path)) throw new SetupError(`${path} exists already`, "choose another name: a backup never replaces a file");
  await app.store.maintenance.backup(path);
}
