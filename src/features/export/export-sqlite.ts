import { existsSync, renameSync, rmSync } from "node:fs";
import { openApp } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { ExportTarget, FileFormat } from "./export-formats.ts";

/** A consistent copy, even during a crawl; or a copy reduced to one site. */
export const sqliteFormat: FileFormat = {
  writes: "place",
  async write(app, { range }, place) {
    refuseExisting(place);
    const partPath = `${place.path}.${process.pid}.part`;
    try {
      rmSync(partPath, { force: true });
      await app.store.maintenance.backup(partPath);
      const saved = await reduceToSite(partPath, range.siteId);
      refuseExisting(place);
      renameSync(partPath, place.path);
      return { saved, left: 0, notes: [] };
    } finally {
      for (const ending of ["", "-wal", "-shm"]) rmSync(partPath + ending, { force: true });
    }
  },
};

/** A file with a -wal file is open in some process, perhaps this one: replacing it would damage it. */
function refuseExisting({ path, isReplacing }: ExportTarget): void {
  if (existsSync(`${path}-wal`)) throw new SetupError(`${path} is in use`, "name another file");
  if (existsSync(path) && !isReplacing) throw new SetupError(`${path} exists already`, `-O ${path} replaces it`);
}

/** Returns the number of pages in it. */
async function reduceToSite(copy: string, siteId: number | undefined): Promise<number> {
  const { store, close } = await openApp({ db: copy });
  try {
    const others = (await store.sites()).filter(({ id }) => siteId !== undefined && id !== siteId);
    for (const { id } of others) await (await store.maintenance.plan({ what: "site", siteId: id })).execute();
    if (others.length > 0) await store.maintenance.vacuum();
    return (await store.maintenance.siteSummaries()).reduce((sum, { pages }) => sum + pages, 0);
  } finally {
    await close();
  }
}
