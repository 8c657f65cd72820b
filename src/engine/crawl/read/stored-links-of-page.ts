import type { Store } from "../../../store/index.ts";
import { hashText } from "../admit/mention.ts";
import type { RelevanceEstimator } from "../admit/relevance-estimator.ts";
import { unpackLinks } from "./link-document.ts";
import { type LinkSet, storedLinks } from "./link-set.ts";

/** The stored links of a page. Hashes are loaded; URLs are unpacked only if a link is new. With an aim, also the stored keyword matches. */
export async function storedLinksOfPage(store: Store, pageId: number, estimator?: RelevanceEstimator): Promise<LinkSet | undefined> {
  const stored = await store.packedLinks(pageId);
  if (!stored) return undefined;
  const matched = estimator && new Map((await store.links.onPage(pageId)).map(({ hash, matches }) => [hashText(hash), matches]));
  const { index, nofollow } = stored;
  return storedLinks(index, () => unpackLinks(stored.links(), store.hashSeed), { nofollow, matched });
}
