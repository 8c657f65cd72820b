/** One changed word, in the title, a heading and the text, makes three new hashes; that is news only if the page says little else. */
const MIN_NEW = 4;
const MIN_NEW_ON_SMALL_PAGE = 3;
const MIN_NEW_SHARE = 0.25;

/** Whether this many new hashes on a page of this size make it a new page. */
export const isNewContent = (fresh: number, size: number): boolean =>
  fresh >= MIN_NEW || (fresh >= MIN_NEW_ON_SMALL_PAGE && fresh >= size * MIN_NEW_SHARE);
