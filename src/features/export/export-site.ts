import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { Site } from "../../store/index.ts";
import type { ExportRange } from "./export.ts";

/** For formats that cover one site: the named one, or the only one there is. */
export async function exportedSite({ store }: App, { siteId }: ExportRange, name: string): Promise<Site> {
  const sites = await store.sites();
  const site = siteId === undefined && sites.length === 1 ? sites[0] : sites.find(({ id }) => id === siteId);
  if (site) return site;
  if (sites.length === 0) throw new SetupError("no site has been crawled into this data file yet", "nuthatch crawl https://example.org");
  const known = sites.slice(0, 5).map(({ url }) => url);
  throw new SetupError(`${name} is of one site, and this data file knows ${sites.length}`, `name one of them: ${known.join(", ")}`);
}
