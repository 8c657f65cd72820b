/** What an element's name, role, class and id say it is for. Pages of all sites use the same few words; none of them decides alone. */
import type { HtmlElement } from "../../parse/index.ts";
import { byText } from "../by-text.ts";
import { parted } from "../class-words.ts";
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

/** Every mark has a place; a set of them is one number each for the words and the tags. */
export const markNames: readonly string[] = [...Object.keys(words), ...new Set(Object.values(tagNames)), "gone"];
const place = new Map(markNames.map((name, at) => [name, at]));
/** By place: the words come first. */
const patterns = new PatternSet(Object.values<RegExp>(words));
export const placeOf = (name: string): number => place.get(name)!;
const placesOf = (names: Readonly<Record<string, string>>) => new Map(Object.entries(names).map(([name, mark]) => [name, placeOf(mark)]));
const tags = placesOf(tagNames);
const roles = placesOf(roleNames);
const NO_TAG = markNames.length;
const GONE = place.get("gone")!;
const BODY = place.get("body")!;

/** The marks that classes give, and those lists of them that have been asked for with others. */
interface Said {
  readonly marks: readonly number[];
  withOthers: Map<number, readonly number[]> | undefined;
}

const saidIn = (named: string): Said => {
  const said = patterns.matching(parted(named.slice(0, 300)));
  if (said === 0) return unsaid;
  const marks: number[] = [];
  for (let at = 0; said >> at !== 0; at += 1) if (((said >> at) & 1) === 1) marks.push(at);
  return { marks, withOthers: undefined };
};
const unsaid: Said = { marks: [], withOthers: undefined };
const saidByClass = byText((classes) => saidIn(`${classes} `));

function saidBy({ class: classes = "", id = "" }: HtmlElement["attributes"]): Said {
  if (id !== "") return saidIn(`${classes} ${id}`); // ids hardly come twice
  return classes === "" ? unsaid : saidByClass(classes);
}

/** Which marks an element has: the same list for all that have the same. */
export function marksOf({ name, attributes }: HtmlElement): readonly number[] {
  const said = saidBy(attributes);
  const { marks } = said;
  const tag = tags.get(name) ?? (attributes.role === undefined ? undefined : roles.get(attributes.role));
  const isGone = attributes.hidden !== undefined || attributes["aria-hidden"] === "true" || isStyledAway(attributes.style);
  const isBody = attributes.itemprop === "articleBody";
  if (tag === undefined && !isGone && !isBody) return marks;
  const others = ((tag ?? NO_TAG) << 2) | (Number(isGone) << 1) | Number(isBody);
  said.withOthers ??= new Map();
  let all = said.withOthers.get(others);
  if (all === undefined) {
    all = [...marks, ...(tag === undefined ? [] : [tag]), ...(isGone ? [GONE] : []), ...(isBody ? [BODY] : [])];
    said.withOthers.set(others, all);
  }
  return all;
}

const isStyledAway = (style: string | undefined) =>
  style !== undefined && /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i.test(style);
