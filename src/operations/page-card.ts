import type { App } from "../app.ts";
import type { Edit, ListedPage, PageCard } from "../store/index.ts";
import { indexPage } from "./index-words.ts";

/** Stores a person's edits of a page, and updates the search index at once. */
export async function setPageCard(app: App, { id }: Pick<ListedPage, "id">, card: Edit<PageCard>): Promise<void> {
  await app.store.cards.setPage(id, card, app.world.clock.wall());
  const isSearched = card.overrides !== undefined || card.note !== undefined || card.tags !== undefined;
  if (isSearched) await indexPage(app, id);
}
