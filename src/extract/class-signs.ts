/**
 * What classes and ids say about their elements. Several fields ask, of the same elements and of those around them, so the questions are answered
 * together, with a bit for each, and the answers are remembered by text.
 */
import { byText } from "./by-text.ts";
import { parted } from "./class-words.ts";
import { PatternSet } from "./pattern-set.ts";

/** Asked of the text as it is written. */
const asWritten = {
  title:
    /(?:^|[\s_-])(?:entry|post|article|page|story|blog|news|content|product|topic|thread|main|single)?[-_]{0,2}(?:title|headline|heading)(?:$|[\s_-])/i,
  lead: /(?:^|[\s_-])(?:lead|lede|standfirst|subtitle|sub-?head(?:line|ing)?|dek|deck|intro(?:duction)?|summary|teaser|excerpt|abstract|chapo|kicker|strapline|article-?description)(?:$|[\s_-])/i,
  /** Beside what a page is about. */
  apart:
    /(?:^|[\s_-])(?:nav|navigation|menu|footer|sidebar|aside|breadcrumbs?|cookies?|consent|gdpr|banner|popup|modal|newsletter|subscribe|comments?|related|share|social|promo|ads?|advert\w*|sponsor\w*|widget|toolbar|copyright|disclaimer|alert|notice|paywall|search)(?:$|[\s_-])/i,
  tags: /(?:(?<![a-z])tag|Tag)(?:s|ged|list|links?|items?)?(?![a-z])|(?:(?<![a-z])(?:topic|theme|keyword|label|subject|hashtag)|Topic|Theme|Keyword|Label|Subject|Hashtag)s?(?![a-z])|(?<![a-z])(?:themen|thema|schlagw|stichw|mots?-?cles?|etiquet|taxonomy)/,
  categories:
    /(?:(?<![a-z])categor|Categor)(?:y|ies|ie|ia|ias)|(?<![a-z])cats?(?![a-z])|(?<![a-z])cat-links|rubri[kq]|ressort|kicker|eyebrow/i,
  crumbs: /bread-?crumb/i,
  cloud: /cloud|widget|trending|popular|sidebar|related|recommend|footer|menu|(?<![a-z])nav|megamenu|teaser|(?<![a-z])card|promo|header-/i,
  story: /(?<![a-z])(?:article|entry|post|story|content|hentry|single|news-?detail)/i,
};

/** Asked of its words with hyphens between them. */
const inWords = {
  edge: /\b(?:nav|navbar|navigation|menu|footer|copyright|breadcrumbs?|cookie|colophon|masthead|toolbar)\b|site-?(?:head|foot|info)|global-?(?:head|foot)/i,
  aside:
    /sidebar|widget|related|recommend|popular|trending|promo|teaser|most-?read|more-|latest|recent|\bcards?\b|carousel|slider|newsletter|subscribe|\bads?\b|advert|sponsor|readnext|read-next|next-?post|prev-?post|also-|suggest|recirc|river|\blists?\b|\bgrid\b|listing/i,
  comment: /comment|respon(?:d|se)|\breply|replies|disqus|discussion|reviews?\b/i,
  dated: /date|time|publish|posted|created|\bday\b|datum|fecha|\bpub/i,
  updated: /updat|modif|revis|chang|edited/i,
  byline:
    /author|auteur|autor\b|byline|by-line|writer|contributor|contrib|journalist|reporter|columnist|vcard|creator|username|user-name|poster|penname|verfasser|redakteur/i,
  biography: /\bbio|about-?(?:the-?)?author|author-?(?:bio|box|card|desc|info|about|profile)/i,
};

/** The bits of each table, the lowest for its first question. */
const bitsOf = <Name extends string>(table: Readonly<Record<Name, RegExp>>) =>
  Object.fromEntries(Object.keys(table).map((name, at) => [name, 1 << at])) as Readonly<Record<Name, number>>;

/** Longer lists of classes are not read to their end. */
const LONGEST = 500;

const short = (names: string) => (names.length > LONGEST ? names.slice(0, LONGEST) : names);

/** What a class or an id says as it is written. */
export const written = bitsOf(asWritten);
const writtenPatterns = new PatternSet(Object.values(asWritten));
const writtenIn = byText((names) => writtenPatterns.matching(short(names)));
export const writtenBy = (names: string | undefined): number => (names ? writtenIn(names) : 0);

/** What its words say. */
export const worded = bitsOf(inWords);
const wordPatterns = new PatternSet(Object.values(inWords));
const wordedIn = byText((names) => wordPatterns.matching(withHyphens(short(names))));
export const wordedBy = (names: string | undefined): number => (names ? wordedIn(names) : 0);

/** post_meta, postMeta and post-meta are the same words. */
const withHyphens = (names: string) => (/[A-Z_]/.test(names) ? parted(names).replaceAll("_", "-") : names);
