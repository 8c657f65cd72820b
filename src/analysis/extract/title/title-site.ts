/** Removes the site's name from the end or beginning of a title. */

import { comparisonKey, wordsOf } from "../comparison-key.ts";
import type { PageView } from "../page-view.ts";
import { urlOf } from "../parsed-url.ts";
import { declaredNames } from "../site-name.ts";
import { siteNamesOf } from "../site-names.ts";
import { partsOfTitle, type TitlePart } from "./title-cuts.ts";

const MIN_LENGTH = 3;
/** After a bar, a site's name rarely has more words; a subtitle usually has. */
const MAX_WORDS = 4;

/** Words that cannot be the title: of "Home - Town Museum" the second part is kept. */
const isPlaceholder = /^(?:home(?:page)?|start(?:seite|page)?|index|welcome|accueil|inicio|untitled)$/i;

export function siteNameRemover(page: PageView): (title: string) => string {
  const site = siteNamesOf(page);
  const declaredKeys = new Set(declaredNames(page).map(({ value }) => comparisonKey(value)));
  const isHome = urlOf(page.url)?.pathname === "/";
  const isSite = ({ value, kept, without, separator }: TitlePart): boolean => {
    if (isPlaceholder.test(value) || comparisonKey(value) === comparisonKey(without)) return false;
    if (kept === "first") return site.isSiteName(without);
    // "Gerbera - a media server" names a home page; elsewhere "Python: a tour" may be the title, so only a name that
    // the page declares is cut.
    if (kept !== "last" || isHome || /^\p{Ll}/u.test(value)) return false;
    return declaredKeys.has(comparisonKey(without)) || (separator === "|" && site.isSiteName(without));
  };
  return (title) => {
    const parts = partsOfTitle(title).filter(({ value }) => value.length >= MIN_LENGTH);
    const named = parts.filter(isSite);
    if (named.length > 0) return named.reduce((best, one) => (one.value.length > best.value.length ? one : best)).value;
    const last = parts.findLast(({ kept, separator }) => kept === "first" && separator === "|");
    return last !== undefined && wordsOf(last.without).length <= MAX_WORDS ? last.value : title;
  };
}
