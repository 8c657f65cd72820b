/** Titles without the name of their site, at the end or at the beginning. */
import { addressOf } from "./address.ts";
import type { PageView } from "./page-view.ts";
import { keyOf, wordsOf } from "./same-words.ts";
import { namesGiven } from "./site-name.ts";
import { siteWords } from "./site-words.ts";
import { partsOfTitle, type TitlePart } from "./title-cuts.ts";

const SHORTEST = 3;
/** A site's name after a bar is seldom longer; a subtitle mostly is. */
const MOST_WORDS = 4;

/** Of "Home - Town Museum" the name is what says something. */
const isPlaceholder = /^(?:home(?:page)?|start(?:seite|page)?|index|welcome|accueil|inicio|untitled)$/i;

export function siteCutter(page: PageView): (title: string) => string {
  const site = siteWords(page);
  const given = new Set(namesGiven(page).map(({ value }) => keyOf(value)));
  const isHome = addressOf(page.url)?.pathname === "/";
  const isSite = ({ value, kept, without, separator }: TitlePart): boolean => {
    if (isPlaceholder.test(value) || keyOf(value) === keyOf(without)) return false;
    if (kept === "first") return site.is(without);
    // "Gerbera - a media server" names a home page; elsewhere "Python: a tour" may be the title, so that only a name the page gives is cut.
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
