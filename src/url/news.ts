/** One changed word, in the title, a heading and the text, makes three new hashes; that is news only if the page says little else. */
const MANY = 4;
const SOME = 3;
const SHARE = 0.25;

/** Whether this many new hashes on a page of this size make it a new page. */
export const isNews = (fresh: number, size: number): boolean => fresh >= MANY || (fresh >= SOME && fresh >= size * SHARE);
