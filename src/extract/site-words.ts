/** Whether a text names the site it stands on. */
import type { PageView } from "./page-view.ts";
import { keyOf, wordsOf } from "./same-words.ts";
import { domainWord, namesGiven } from "./site-name.ts";

export interface SiteWords {
  /** The text is a name of the site. */
  is(text: string): boolean;
  /** It has a name of the site in it. */
  holds(text: string): boolean;
}

const articles = /^(?:the|der|die|das|le|la|les|el|il)\s+/i;

const known = new WeakMap<PageView, SiteWords>();

/** Several fields ask it of a page. */
export function siteWords(page: PageView): SiteWords {
  const words = known.get(page) ?? readSiteWords(page);
  known.set(page, words);
  return words;
}

function readSiteWords(page: PageView): SiteWords {
  const domain = keyOf(domainWord(page.url));
  const host = URL.canParse(page.url) ? keyOf(new URL(page.url).hostname.replace(/^www\./, "")) : "";
  const names = new Set([domain, host]);
  for (const { value } of namesGiven(page)) for (const name of [value, value.replace(articles, "")]) names.add(keyOf(name));
  names.delete("");
  const long = [...names].filter((name) => name.length > 3);
  return {
    is: (text) => {
      const key = keyOf(text.replace(articles, ""));
      return key !== "" && (names.has(key) || isLike(key, text, domain));
    },
    holds: (text) => {
      const key = keyOf(text);
      return long.some((name) => key.includes(name));
    },
  };
}

/** A name is in its domain, whole or by its initials: Example Daily News at exampledaily.com or edn.org. */
function isLike(key: string, text: string, domain: string): boolean {
  if (domain.length < 3) return false;
  if (key.length > 3 && (domain.startsWith(key) || domain.endsWith(key))) return true;
  if (key.includes(domain) && key.length <= domain.length + 12 && domain.length > 3) return true;
  const words = wordsOf(text);
  return words.length > 2 && (initials(words) === domain || initials(words.filter((word) => word.length > 3)) === domain);
}

const initials = (words: readonly string[]): string => words.map((word) => word[0]).join("");
