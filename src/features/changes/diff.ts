import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { Version } from "../../store/index.ts";
import { findPage } from "../pages/find.ts";
import { type DiffOptions, diffVersions, type PageDiff } from "./page-diff.ts";

export { type IgnoredKind, ignoredKinds } from "../../analysis/recrawl/index.ts";

export interface DiffQuery extends DiffOptions {
  /** Its URL or number. */
  readonly page: string;
  /** Numbers of versions; by default the last two. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface DiffedPage extends PageDiff {
  readonly url: string;
  readonly title: string | null;
}

/** The differences between two stored versions of a page. */
export async function diffPage(app: App, { page: text, from, to, ...options }: DiffQuery): Promise<DiffedPage> {
  const page = await findPage(app, text);
  const versions = await app.store.versions(page.id);
  const later = findVersion(versions, to) ?? versions[0];
  const earlier = findVersion(versions, from) ?? versions.find(({ number }) => number < (later?.number ?? 0));
  if (!later || !earlier)
    throw new SetupError(`only one version of ${page.url} is stored`, "it has not changed since; nuthatch show tells what is known of it");
  const diff = await diffVersions(app, page, [earlier, later], options);
  return { url: page.url, title: later.metadata.title?.value ?? null, ...diff };
}

function findVersion(versions: readonly Version[], wanted: number | undefined): Version | undefined {
  if (wanted === undefined) return undefined;
  const found = versions.find(({ number }) => number === wanted);
  if (found) return found;
  throw new SetupError(`there is no version ${wanted}`, `stored are ${versions.map(({ number }) => number).join(", ")}`);
}
