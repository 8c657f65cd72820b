import type { PageMetadata } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { PageToFill } from "../../store/index.ts";
import type { Describer } from "./describe-pages.ts";
import { storedMetadata } from "./stored-metadata.ts";

const BATCH_SIZE = 100;

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
    const pages = await app.store.metadata.pagesToFill({ siteIds, hasBody: false }, { after, limit: BATCH_SIZE });
    for (const page of pages.filter(({ metadata }) => !metadata.description || !metadata.topics)) {
      if (describer.isOver) return;
      const fieldsAdded = await describeOne(app, page, describer);
      if (fieldsAdded.length > 0) yield { id: page.pageId, url: page.url, fieldsAdded };
    }
    if (pages.length < BATCH_SIZE) return;
    after = pages.at(-1)!.pageId;
  }
}

async function describeOne(app: App, { pageId, versionId, metadata: known }: PageToFill, describer: Describer): Promise<string[]> {
  const stored = await storedMetadata(app, { id: pageId, metadata: known });
  if (!stored) return [];
  const { description, topics } = await describer.complete(stored.metadata);
  const added: PageMetadata = {
    ...(!known.description && description.value !== null && { description: found(description, description.value) }),
    ...(!known.topics && topics.value !== null && { topics: found(topics, topics.value) }),
  };
  if (Object.keys(added).length > 0)
    await app.store.metadata.fill([{ pageId, versionId, metadata: { ...known, ...added } }], app.world.clock.wall());
  return Object.keys(added);
}

const found = <T>({ source, confidence }: { readonly source: string; readonly confidence: number }, value: T) => ({
  value,
  source,
  confidence,
});
