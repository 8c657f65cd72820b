/** Removes the site's name from the end or beginning of a title. */
import { addressOf } from "./address.ts";
import type { PageView } from "./page-view.ts";
import { keyOf, wordsOf } from "./same-words.ts";
import { namesGiven } from "./site-name.ts";
import { siteWords } from "./site-words.ts";
import { partsOfTitle, type TitlePart } from "./title-cuts.ts";

const SHORTEST = 3;
/** After a bar, a site's name rarely has more words; a subtitle usually has. */
const MOST_WORDS = 4;

/** Words that cannot be the title: of "Home - Town Museum" the second part is kept. */
const isPlaceholder = /^(?:home(?:page)?|start(?:seite|page)?|index|welcome|accueil|inicio|untitled)$/i;

export function siteCutter(page: PageView): (title: string) => string {
  const site = siteWords(page);
  const given = new Set(namesGiven(page).map(({ value }) => keyOf(value)));
  const isHome = addressOf(page.url)?.pathname === "/";
  const isSite = ({ value, kept, without, separator }: TitlePart): boolean => {
    if (isPlaceholder.test(value) || keyOf(value) === keyOf(without)) return false;
    if (kept === "first") return site.is(without);
    // "Gerbera - a media server" names a home page; elsewhere "Python: a tour" may be the title, so only a name that
    // the page declares is cut.
    if (kept !== "last" || isHome || /^\p{Ll}/u.test(value)) return false;
    return given.has(keyOf(without)) || (separator === "|" && site.is(without));
  };
  return (title) => {
    const parts = partsOfTitle(title).filter(({ value }) => value.length >= SHORTEST);
    const named = parts.filter(isSite);
    if (named.length > 0) return named.reduce((best, one) => (one.value.length > best.value.length ? one : best)).value;
    const last = parts.findLast(({ kept, separator }) => kept === "first" && separator === "|");
    return last !== undefined && wordsOf(last.without).length <= MOST_WORDS ? last.value : title;
  };
}
