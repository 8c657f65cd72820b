import { hasLetterOrDigit, type Ignored } from "../../analysis/recrawl/index.ts";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { IgnoredPart } from "../../store/index.ts";

export interface IgnoreRequest extends Ignored {
  readonly siteId: number;
  /** Only on this page; else on the whole site. */
  readonly pageId?: number | undefined;
}

const MAX_PARTS = 200;
const MAX_LENGTH = 1000;

/**
 * Ignores a part of pages. It is left out of every diff from now on, and a run that finds no other difference reports the page as the
 * same.
 */
export async function ignorePart(app: App, request: IgnoreRequest): Promise<IgnoredPart & { readonly isNew: boolean }> {
  const { siteId, pageId, kind } = request;
  const value = request.value.replace(/\s+/g, " ").trim();
  if (!hasLetterOrDigit({ kind, value }))
    throw new SetupError("there is nothing in it to recognise a text by", "name some words of what is to be ignored");
  if (value.length > MAX_LENGTH)
    throw new SetupError(`it is longer than ${MAX_LENGTH} characters`, "a few words are enough to recognise a text by");
  const known = await app.store.userData.ignored(siteId);
  if (known.length >= MAX_PARTS)
    throw new SetupError(`${MAX_PARTS} parts are ignored on this site already`, "remove some, or write a pattern");
  const madeAt = app.world.clock.wall();
  const { id, isNew } = await app.store.userData.ignore({ siteId, pageId, kind, value, madeAt });
  const found = known.find((part) => part.id === id);
  return { ...(found ?? { id, siteId, pageId, kind, value, madeAt }), isNew };
}

/** For display. */
export interface IgnoredReport extends Omit<IgnoredPart, "siteId" | "pageId" | "madeAt"> {
  readonly site: string;
  /** The only page to which it applies; null: the whole site. */
  readonly page: string | null;
  readonly madeAt: string;
}

export async function ignoredParts({ store }: App, siteId?: number): Promise<IgnoredReport[]> {
  const reports: IgnoredReport[] = [];
  for (const { id: of, url: site } of await store.sites()) {
    if (siteId !== undefined && of !== siteId) continue;
    for (const { id, kind, value, pageId, madeAt } of await store.userData.ignored(of)) {
      const page = pageId === undefined ? null : ((await store.page({ id: pageId }))?.url ?? null);
      reports.push({ id, kind, value, page, site, madeAt: new Date(madeAt).toISOString() });
    }
  }
  return reports;
}

export async function stopIgnoring({ store }: App, id: number): Promise<void> {
  for (const site of await store.sites()) if (await store.userData.stopIgnoring(site.id, id)) return;
  throw new SetupError(`nothing of the number ${id} is ignored`, "nuthatch ignore lists what is");
}
