import type { App } from "../app.ts";
import type { PageMetadata } from "../records.ts";
import type { PageToFill } from "../store/index.ts";
import type { Describer } from "./describe-pages.ts";
import { storedMetadata } from "./stored-metadata.ts";

const AT_ONCE = 100;

export interface DescribedPage {
  readonly id: number;
  readonly url: string;
  readonly fieldsAdded: readonly string[];
}

/** Describes stored pages that lack a description or topics. Each page is stored before the next request. */
export async function* describeStored(
  app: App,
  siteIds: readonly number[] | undefined,
  describer: Describer,
): AsyncGenerator<DescribedPage> {
  for (let after = 0; !describer.isOver; ) {
    const pages = await app.store.metadata.toFill({ siteIds, hasBody: false }, { after, limit: AT_ONCE });
    for (const page of pages.filter(({ metadata }) => !metadata.description || !metadata.topics)) {
      if (describer.isOver) return;
      const fieldsAdded = await describeOne(app, page, describer);
      if (fieldsAdded.length > 0) yield { id: page.pageId, url: page.url, fieldsAdded };
    }
    if (pages.length < AT_ONCE) return;
    after = pages.at(-1)!.pageId;
  }
}

async function describeOne(app: App, { pageId, versionId, metadata: known }: PageToFill, describer: Describer): Promise<string[]> {
  const stored = await storedMetadata(app, { id: pageId, metadata: known });
  if (!stored) return [];
  const { description, topics } = await describer.complete(stored.metadata);
  const said: PageMetadata = {
    ...(!known.description && description.value !== null && { description: found(description, description.value) }),
    ...(!known.topics && topics.value !== null && { topics: found(topics, topics.value) }),
  };
  if (Object.keys(said).length > 0)
    await app.store.metadata.fill([{ pageId, versionId, metadata: { ...known, ...said } }], app.world.clock.wall());
  return Object.keys(said);
}

const found = <T>({ source, confidence }: { readonly source: string; readonly confidence: number }, value: T) => ({
  value,
  source,
  confidence,
});
