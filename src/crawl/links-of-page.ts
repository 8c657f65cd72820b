import type { Store } from "../store/index.ts";
import type { Aim } from "./aim.ts";
import { unpackLinks } from "./link-document.ts";
import { type LinkSet, storedLinks } from "./link-set.ts";
import { keyText } from "./mention.ts";

/** The stored links of a page. Hashes are loaded; URLs are unpacked only if a link is new. With an aim, also the stored keyword matches. */
export async function linksOfPage(store: Store, pageId: number, aim?: Aim): Promise<LinkSet | undefined> {
  const stored = await store.packedLinks(pageId);
  if (!stored) return undefined;
  const matched = aim && new Map((await store.links.onPage(pageId)).map(({ hash, matches }) => [keyText(hash), matches]));
  const { index, nofollow } = stored;
  return storedLinks(index, () => unpackLinks(stored.links(), store.hashSeed), { nofollow, matched });
}
