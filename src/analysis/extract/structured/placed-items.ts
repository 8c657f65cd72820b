/** All items of a page, nested ones included, with a mark for those written by readers. */
import { cachedPerPage } from "../page-view.ts";
import type { SchemaItem } from "./schema-items.ts";

const MAX_ITEMS = 300;
const MAX_ITEM_DEPTH = 5;

export interface PlacedItem {
  readonly item: SchemaItem;
  /** Whether it is a reader's comment, review or answer. */
  readonly isComment: boolean;
  /** The number of enclosing items. */
  readonly depth: number;
}

/** Cached, because author and dates both use it. */
export const allItems = cachedPerPage(({ items }): readonly PlacedItem[] => itemsWithDepth(items));

function itemsWithDepth(items: readonly SchemaItem[]): PlacedItem[] {
  const found: PlacedItem[] = [];
  const seen = new Set<SchemaItem>();
  const visit = (item: SchemaItem, isComment: boolean, depth: number) => {
    if (found.length >= MAX_ITEMS || depth > MAX_ITEM_DEPTH || seen.has(item)) return;
    seen.add(item);
    found.push({ item, isComment, depth });
    for (const [name, values] of item.properties) {
      const isByReader = isComment || /^(?:comment|review|suggestedAnswer|acceptedAnswer|reply)/.test(name);
      for (const value of values) if (typeof value === "object") visit(value, isByReader, depth + 1);
    }
  };
  for (const item of items)
    visit(
      item,
      item.types.some((type) => /^(?:Comment|Review|Answer)/.test(type)),
      0,
    );
  return found;
}
