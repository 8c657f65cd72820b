/** One changing word, in the title, a heading and the text, makes three new hashes; that is a new page only if it says little else. */
const MANY = 4;
const SOME = 3;
const SHARE = 0.25;

/** Whether so many hashes that its like did not have make a page of that size a new one. */
export const isNews = (fresh: number, size: number): boolean => fresh >= MANY || (fresh >= SOME && fresh >= size * SHARE);
