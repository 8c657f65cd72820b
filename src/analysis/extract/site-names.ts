/** Whether a text contains the name of the page's site. */

import { comparisonKey, wordsOf } from "./comparison-key.ts";
import { cachedPerPage, type PageView, textOf } from "./page-view.ts";
import { urlOf } from "./parsed-url.ts";
import { declaredNames, domainWord } from "./site-name.ts";

export interface SiteNames {
  /** Whether the text is a name of the site. */
  isSiteName(text: string): boolean;
  /** Whether the text contains a name of the site. */
  containsSiteName(text: string): boolean;
}

const articles = /^(?:the|der|die|das|le|la|les|el|il)\s+/i;

/** Cached, because several fields use it. */
export const siteNamesOf = cachedPerPage(readSiteNames);

function readSiteNames(page: PageView): SiteNames {
  const domain = comparisonKey(domainWord(page.url));
  const host = comparisonKey(urlOf(page.url)?.hostname.replace(/^www\./, "") ?? "");
  const names = new Set([domain, host]);
  for (const { value } of declaredNames(page)) for (const name of [value, value.replace(articles, "")]) names.add(comparisonKey(name));
  for (const name of homeLinks(page)) names.add(comparisonKey(name));
  names.delete("");
  const longNames = [...names].filter((name) => name.length > 3);
  return {
    isSiteName: (text) => {
      const key = comparisonKey(text.replace(articles, ""));
      return key !== "" && (names.has(key) || matchesDomain(key, text, domain));
    },
    containsSiteName: (text) => {
      const key = comparisonKey(text);
      return longNames.some((name) => key.includes(name));
    },
  };
}

/** Texts of links to the home page: usually the site's name, or its logo. */
function homeLinks({ elements, url }: PageView): string[] {
  const origin = urlOf(url)?.origin ?? "";
  const found: string[] = [];
  for (const element of elements) {
    if (element.name !== "a") continue;
    const href = element.attributes.href?.trim();
    if (href !== "/" && href !== origin && href !== `${origin}/`) continue;
    const picture = element.children.find((child) => typeof child === "object" && child.name === "img");
    const name = textOf(element) || (typeof picture === "object" && picture.attributes.alt) || element.attributes.title || "";
    if (name.length > 3 && name.length < 40 && !/^(?:home|start|index|accueil|inicio|logo)/i.test(name))
      found.push(name.replace(/\s*logo$/i, ""));
    if (found.length >= 3) break;
  }
  return found;
}

/** Whether a name matches the domain, whole or by its initials: Example Daily News at exampledaily.com or edn.org. */
function matchesDomain(key: string, text: string, domain: string): boolean {
  if (domain.length < 3) return false;
  if (key.length > 3 && (domain.startsWith(key) || domain.endsWith(key))) return true;
  if (key.includes(domain) && key.length <= domain.length + 12 && domain.length > 3) return true;
  const words = wordsOf(text);
  return words.length > 2 && (initials(words) === domain || initials(words.filter((word) => word.length > 3)) === domain);
}

const initials = (words: readonly string[]): string => words.map((word) => word[0]).join("");
