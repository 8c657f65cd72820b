/** What classes and ids say about their elements: one bit per question. */

import { splitCamelCase } from "./class-words.ts";
import { PatternSet } from "./pattern-set.ts";
import { cachedByText } from "./text-cache.ts";

interface ClassPatterns<Name extends string> {
  readonly bits: Readonly<Record<Name, number>>;
  matchesOf(names: string | undefined): number;
}

/** Questions that are asked of the same elements. Class lists are cut after `longest` characters. */
function classPatterns<Name extends string>(
  maxLength: number,
  patterns: Readonly<Record<Name, RegExp>>,
  normalise = (names: string) => names,
): ClassPatterns<Name> {
  const set = new PatternSet(Object.values<RegExp>(patterns));
  return {
    bits: Object.fromEntries(Object.keys(patterns).map((name, at) => [name, 1 << at])) as Readonly<Record<Name, number>>,
    matchesOf: (names) => (names ? set.matching(normalise(names.length > maxLength ? names.slice(0, maxLength) : names)) : 0),
  };
}

/** Adds a cache. Worth it for slow patterns, and for values that occur often on a page. */
function withCache<Name extends string>({ bits, matchesOf }: ClassPatterns<Name>): ClassPatterns<Name> {
  const cachedMatches = cachedByText(matchesOf);
  return { bits, matchesOf: (names) => (names ? cachedMatches(names) : 0) };
}

export const headClasses = classPatterns(1000, {
  title:
    /(?:^|[\s_-])(?:entry|post|article|page|story|blog|news|content|product|topic|thread|main|single)?[-_]{0,2}(?:title|headline|heading)(?:$|[\s_-])/i,
  lead: /(?:^|[\s_-])(?:lead|lede|standfirst|subtitle|sub-?head(?:line|ing)?|dek|deck|intro(?:duction)?|summary|teaser|excerpt|abstract|chapo|kicker|strapline|article-?description)(?:$|[\s_-])/i,
});

/** Parts beside the main content. */
export const apartClasses = classPatterns(200, {
  apart:
    /(?:^|[\s_-])(?:nav|navigation|menu|footer|sidebar|aside|breadcrumbs?|cookies?|consent|gdpr|banner|popup|modal|newsletter|subscribe|comments?|related|share|social|promo|ads?|advert\w*|sponsor\w*|widget|toolbar|copyright|disclaimer|alert|notice|paywall|search)(?:$|[\s_-])/i,
});

export const topicClasses = withCache(
  classPatterns(300, {
    tags: /(?:(?<![a-z])tag|Tag)(?:s|ged|list|links?|items?)?(?![a-z])|(?:(?<![a-z])(?:topic|theme|keyword|label|subject|hashtag)|Topic|Theme|Keyword|Label|Subject|Hashtag)s?(?![a-z])|(?<![a-z])(?:themen|thema|schlagw|stichw|mots?-?cles?|etiquet|taxonomy)/,
    categories:
      /(?:(?<![a-z])categor|Categor)(?:y|ies|ie|ia|ias)|(?<![a-z])cats?(?![a-z])|(?<![a-z])cat-links|rubri[kq]|ressort|kicker|eyebrow/i,
    crumbs: /bread-?crumb/i,
  }),
);

/** For the elements around lists of topics. */
export const listClasses = withCache(
  classPatterns(300, {
    cloud:
      /cloud|widget|trending|popular|sidebar|related|recommend|footer|menu|(?<![a-z])nav|megamenu|teaser|(?<![a-z])card|promo|header-/i,
    story: /(?<![a-z])(?:article|entry|post|story|content|hentry|single|news-?detail)/i,
  }),
);

/** post_meta, postMeta and post-meta become the same words. */
const withHyphens = (names: string) => (/[A-Z_]/.test(names) ? splitCamelCase(names).replaceAll("_", "-") : names);

export const placeClasses = withCache(
  classPatterns(
    500,
    {
      edge: /\b(?:nav|navbar|navigation|menu|footer|copyright|breadcrumbs?|cookie|colophon|masthead|toolbar)\b|site-?(?:head|foot|info)|global-?(?:head|foot)/i,
      aside:
        /sidebar|widget|related|recommend|popular|trending|promo|teaser|most-?read|more-|latest|recent|\bcards?\b|carousel|slider|newsletter|subscribe|\bads?\b|advert|sponsor|readnext|read-next|next-?post|prev-?post|also-|suggest|recirc|river|\blists?\b|\bgrid\b|listing/i,
      comment: /comment|respon(?:d|se)|\breply|replies|disqus|discussion|reviews?\b/i,
      dated: /date|time|publish|posted|created|\bday\b|datum|fecha|\bpub/i,
      updated: /updat|modif|revis|chang|edited/i,
      byline:
        /author|auteur|autor\b|byline|by-line|writer|contributor|contrib|journalist|reporter|columnist|vcard|creator|username|user-name|poster|penname|verfasser|redakteur/i,
      biography: /\bbio|about-?(?:the-?)?author|author-?(?:bio|box|card|desc|info|about|profile)/i,
    },
    withHyphens,
  ),
);
