/** Whether a text contains the name of the page's site. */
import { addressOf } from "./address.ts";
import { oncePerPage, type PageView, textOf } from "./page-view.ts";
import { keyOf, wordsOf } from "./same-words.ts";
import { domainWord, namesGiven } from "./site-name.ts";

export interface SiteWords {
  /** Whether the text is a name of the site. */
  is(text: string): boolean;
  /** Whether the text contains a name of the site. */
  holds(text: string): boolean;
}

const articles = /^(?:the|der|die|das|le|la|les|el|il)\s+/i;

/** Cached, because several fields use it. */
export const siteWords = oncePerPage(readSiteWords);

function readSiteWords(page: PageView): SiteWords {
  const domain = keyOf(domainWord(page.url));
  const host = keyOf(addressOf(page.url)?.hostname.replace(/^www\./, "") ?? "");
  const names = new Set([domain, host]);
  for (const { value } of namesGiven(page)) for (const name of [value, value.replace(articles, "")]) names.add(keyOf(name));
  for (const name of homeLinks(page)) names.add(keyOf(name));
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

/** Texts of links to the home page: usually the site's name, or its logo. */
function homeLinks({ elements, url }: PageView): string[] {
  const origin = addressOf(url)?.origin ?? "";
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
function isLike(key: string, text: string, domain: string): boolean {
  if (domain.length < 3) return false;
  if (key.length > 3 && (domain.startsWith(key) || domain.endsWith(key))) return true;
  if (key.includes(domain) && key.length <= domain.length + 12 && domain.length > 3) return true;
  const words = wordsOf(text);
  return words.length > 2 && (initials(words) === domain || initials(words.filter((word) => word.length > 3)) === domain);
}

const initials = (words: readonly string[]): string => words.map((word) => word[0]).join("");
