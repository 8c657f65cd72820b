/** What an element is for, by its name, role, class and id. Sites use the same few words, but no single word is decisive. */
import type { HtmlElement } from "../../parse/index.ts";
import { splitCamelCase } from "../class-words.ts";
import { PatternSet } from "../pattern-set.ts";

const words = {
  nav: /nav|menu|breadcrumb|pagina|pager|toolbar|skip/i,
  foot: /foot|copyright|colophon|legal|disclaim/i,
  side: /side|rail|widget|secondary/i,
  comment: /comment|disqus|respond|discuss/i,
  more: /relat|recommend|more|next|also|similar|trend|popular|latest|teaser|promo|outbrain|taboola|recirc|suggest|most-?read/i,
  share: /share|sharing|social|follow|facebook|twitter|whatsapp|addto/i,
  ad: /(?:^|[\s_-])ads?(?:$|[\s_-])|advert|sponsor|banner|affiliate/i,
  ask: /newsletter|subscri|paywall|(?:^|[\s_-])cta|donat|support|popup|modal|overlay|drawer/i,
  account: /sign-?(?:up|in)|log-?in|regist|account|password|checkout/i,
  consent: /cookie|consent|gdpr|ccpa|privacy|onetrust|didomi|embed-?(?:privacy|consent)/i,
  meta: /byline|author|meta|date|time|publish|tag|categor|info|kicker|eyebrow|label|bio/i,
  caption: /caption|credit|legend|copyright/i,
  media: /figure|photo|picture|gallery|image|media|video|slide|carousel|embed|player/i,
  person: /author|bio|profile|user|avatar|contributor|writer/i,
  tweet: /tweet|twitter|instagram|facebook|tiktok|telegram|embed/i,
  box: /infobox|fact|callout|aside|box|panel|accordion|tab|faq|toc|disclos|note|tooltip|highlight|summary|key-?(?:point|takeaway)/i,
  source: /source|reference|footnote|cite|biblio/i,
  hidden: /(?:^|\s)(?:is-)?(?:hidden|hide|invisible|d-none|collapsed?|js-hidden|print-only|noprint)(?:$|\s)/i,
  spoken: /sr-only|visually-?hidden|screen-?reader|a11y|assistive/i,
  content: /content|body|text|main|article|entry|story|prose|markdown|rich|wysiwyg|copy/i,
  body: /(?:article|entry|post|story|news|page|blog|main)[\s_-]*(?:body|content|text|copy)/i,
  forum: /post|message|thread|topic|reply|answer|question|forum/i,
  product: /product|price|spec|feature|review|rating|cart|detail|description/i,
  head: /head|masthead|topbar|hero|title|summary|lead|standfirst|dek|intro|excerpt/i,
  card: /card|item|tile|list|grid|result|row|col/i,
} as const;

const tagNames: Readonly<Record<string, string>> = {
  nav: "navTag",
  header: "headerTag",
  footer: "footerTag",
  aside: "asideTag",
  article: "articleTag",
  main: "mainTag",
  form: "formTag",
  figure: "figureTag",
  figcaption: "captionTag",
  address: "addressTag",
  table: "tableTag",
  ul: "listTag",
  ol: "listTag",
  dl: "listTag",
  blockquote: "quoteTag",
  section: "sectionTag",
  a: "linkTag",
  button: "buttonTag",
  label: "buttonTag",
  details: "detailsTag",
  pre: "codeTag",
  dialog: "dialogTag",
};

const roleNames: Readonly<Record<string, string>> = {
  navigation: "navTag",
  menu: "navTag",
  menubar: "navTag",
  banner: "headerTag",
  contentinfo: "footerTag",
  complementary: "asideTag",
  article: "articleTag",
  main: "mainTag",
  search: "formTag",
  dialog: "dialogTag",
  alertdialog: "dialogTag",
  tabpanel: "detailsTag",
  button: "buttonTag",
};

/** Each mark has an index: the words come first, then the tags. */
export const markNames: readonly string[] = [...Object.keys(words), ...new Set(Object.values(tagNames)), "gone"];
const markIndex = new Map(markNames.map((name, at) => [name, at]));
const patterns = new PatternSet(Object.values<RegExp>(words));
export const placeOf = (name: string): number => markIndex.get(name)!;

/**
 * The marks of an element are one number: a bit for each word, the index of its tag (at most one), and a bit for hidden
 * elements. That is 31 bits, which JavaScript engines store as a small integer.
 */
const TAG = Object.keys(words).length;
const HIDDEN = 1 << 30;
const BODY = 1 << placeOf("body");
const tagsFor = (names: Readonly<Record<string, string>>) =>
  new Map(Object.entries(names).map(([name, mark]) => [name, (placeOf(mark) - TAG + 1) << TAG]));
const tags = tagsFor(tagNames);
const roles = tagsFor(roleNames);

/** The marks given by classes and ids. */
export const marksOfNames = (names: string): number => patterns.matching(splitCamelCase(names.slice(0, 300)));

/** All marks of an element; `named` are those of its class attribute. */
export function marksOf({ name, attributes }: HtmlElement, named: number): number {
  const { class: classes = "", id = "", role } = attributes;
  const nameMarks = id === "" ? named : marksOfNames(`${classes} ${id}`);
  const tag = tags.get(name) ?? (role === undefined ? 0 : (roles.get(role) ?? 0));
  const isHidden = attributes.hidden !== undefined || attributes["aria-hidden"] === "true" || isHiddenByStyle(attributes.style);
  return nameMarks | tag | (isHidden ? HIDDEN : 0) | (attributes.itemprop === "articleBody" ? BODY : 0);
}

/** Calls `visit` with the index of each mark. */
export function forEachMark(marks: number, visit: (markIndex: number) => void): void {
  for (let at = 0; at < TAG; at += 1) if (((marks >> at) & 1) === 1) visit(at);
  const tag = (marks & ~HIDDEN) >> TAG;
  if (tag > 0) visit(TAG + tag - 1);
  if ((marks & HIDDEN) !== 0) visit(markNames.length - 1);
}

const isHiddenByStyle = (style: string | undefined) =>
  style !== undefined && /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i.test(style);
