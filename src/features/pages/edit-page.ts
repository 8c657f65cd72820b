import type { App } from "../../engine/app.ts";
import type { Edit, ListedPage, PageEdits } from "../../store/index.ts";
import { indexPage } from "../search/index-words.ts";

/** Stores a person's edits of a page, and updates the search index at once. */
export async function editPage(app: App, { id }: Pick<ListedPage, "id">, edit: Edit<PageEdits>): Promise<void> {
  await app.store.userData.setPage(id, edit, app.world.clock.wall());
  const isSearched = edit.overrides !== undefined || edit.note !== undefined || edit.tags !== undefined;
  if (isSearched) await indexPage(app, id);
}
