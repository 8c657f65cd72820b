/**
 * Whether the response is the requested page. Exports omit pages with a verdict other than "ok", so such a verdict
 * requires that the page has hardly any other text: an article about captchas, or a thread called "404 not found", does.
 */
import type { Found, PageVerdict } from "../../core/records.ts";
import { openingOf, type PageView, textOf } from "./page-view.ts";
import * as signs from "./verdict-signs.ts";

/** A main text of this length is real content. */
const MIN_CONTENT_LENGTH = 1500;
/** Limit on all visible text, menus included. */
const MAX_SHORT_LENGTH = 600;
/** Hardly any text. */
const MAX_EMPTY_LENGTH = 120;
const MAX_LOADING_LENGTH = 30;

/** `letters` is the length of the main text. */
export function verdictOf(page: PageView, textLength: number): Found<PageVerdict> {
  if (textLength >= MIN_CONTENT_LENGTH) return okVerdict;
  const summary = summarise(page);
  for (const check of checks) {
    const found = check(summary);
    if (found !== undefined) return found;
  }
  return okVerdict;
}

const okVerdict: Found<PageVerdict> = { value: "ok", source: "" };

interface PageSummary {
  readonly url: string;
  /** The parts of the title between bars, dashes or colons. */
  readonly title: readonly string[];
  readonly headings: readonly string[];
  /** All visible text. */
  readonly text: string;
  readonly scripts: readonly string[];
  readonly scriptLength: number;
  readonly hidden: string;
  readonly hasPassword: boolean;
  readonly hasMount: boolean;
  readonly images: number;
  /** It has a publication date, structured data of a content type, or comments. */
  readonly isDated: boolean;
  readonly isPaid: boolean;
}

type VerdictCheck = (summary: PageSummary) => Found<PageVerdict> | undefined;

const titleOrHeading = ({ title, headings }: PageSummary, pattern: RegExp): string | undefined =>
  title.some((part) => pattern.test(part)) ? "title" : headings.some((part) => pattern.test(part)) ? "h1" : undefined;

const checks: readonly VerdictCheck[] = [botWall, parked, consentWall, soft404, loginWall, scriptShell];

function botWall(summary: PageSummary): Found<PageVerdict> | undefined {
  if (summary.isDated) return undefined;
  const hasWallText = signs.wallTexts.test(summary.text);
  const named = titleOrHeading(summary, signs.wallTitles);
  if (
    summary.scripts.some((script) => signs.wallScripts.test(script)) &&
    (named !== undefined || hasWallText || summary.text.length < MAX_EMPTY_LENGTH)
  )
    return { value: "bot-wall", source: "script" };
  if (summary.text.length > MIN_CONTENT_LENGTH) return undefined;
  if (named !== undefined && (hasWallText || summary.text.length < MAX_SHORT_LENGTH)) return { value: "bot-wall", source: named };
  return hasWallText && summary.text.length < MAX_SHORT_LENGTH ? { value: "bot-wall", source: "text" } : undefined;
}

function parked(summary: PageSummary): Found<PageVerdict> | undefined {
  if (summary.isDated || summary.text.length > MIN_CONTENT_LENGTH) return undefined;
  if (signs.parkedTexts.test(summary.title.join(" ")) || (summary.text.length < MAX_SHORT_LENGTH && signs.parkedTexts.test(summary.text)))
    return { value: "parked", source: "text" };
  return summary.text.length < MAX_SHORT_LENGTH && summary.scripts.some((script) => signs.parkedScripts.test(script))
    ? { value: "parked", source: "script" }
    : undefined;
}

function consentWall(summary: PageSummary): Found<PageVerdict> | undefined {
  if (summary.isDated || summary.text.length > 2 * MIN_CONTENT_LENGTH || !signs.consentTexts.test(summary.text)) return undefined;
  const named = titleOrHeading(summary, signs.consentTitles);
  if (named !== undefined) return { value: "consent-wall", source: named };
  return /^https?:\/\/consent\./.test(summary.url) ? { value: "consent-wall", source: "url" } : undefined;
}

function soft404(summary: PageSummary): Found<PageVerdict> | undefined {
  if (summary.isDated) return undefined;
  const inTitle = summary.title.some((part) => signs.notFoundTitles.test(part));
  const inHeading = summary.headings.some((part) => signs.notFoundTitles.test(part));
  if (inTitle && inHeading) return { value: "soft-404", source: "title+h1" };
  if (summary.text.length > 2 * MIN_CONTENT_LENGTH || (!inTitle && !inHeading)) return undefined;
  return { value: "soft-404", source: inTitle ? "title" : "h1" };
}

function loginWall(summary: PageSummary): Found<PageVerdict> | undefined {
  if (summary.text.length > MIN_CONTENT_LENGTH) return undefined;
  const named = titleOrHeading(summary, signs.loginTitles);
  if (named !== undefined && summary.hasPassword) return { value: "login-wall", source: `${named}+password` };
  return summary.isPaid && summary.text.length < MAX_SHORT_LENGTH && signs.paywallTexts.test(summary.text)
    ? { value: "login-wall", source: "text" }
    : undefined;
}

function scriptShell(summary: PageSummary): Found<PageVerdict> | undefined {
  if (summary.text.length > MAX_EMPTY_LENGTH || summary.images > 3 || summary.scripts.length === 0) return undefined;
  if (signs.scriptTexts.test(summary.hidden) || signs.scriptTexts.test(summary.text)) return { value: "script-shell", source: "noscript" };
  return summary.hasMount && (summary.scriptLength > 0 || summary.scripts.some((script) => script !== ""))
    ? { value: "script-shell", source: "scripts" }
    : undefined;
}

const mountIds = new Set(["root", "app", "__next", "__nuxt", "___gatsby", "svelte", "react-root", "main-app", "application"]);
const contentType = /(?:Article|Posting|BlogPosting|QAPage|Question|Product|Recipe|VideoObject|Event|Book|Review)$/;

function summarise({ url, root, elements, metas, items }: PageView): PageSummary {
  const named = (name: string) => elements.filter((element) => element.name === name);
  const scripts = named("script");
  const title = named("title").map(({ children }) => String(children[0] ?? ""))[0] ?? "";
  return {
    url,
    title: partsOf(title),
    headings: named("h1")
      .slice(0, 3)
      .flatMap((heading) => partsOf(openingOf(heading, 300))),
    text: openingOf(root, 2 * MIN_CONTENT_LENGTH + 1),
    scripts: scripts.map(({ attributes }) => attributes.src ?? ""),
    scriptLength: scripts.reduce((sum, { children }) => sum + String(children[0] ?? "").length, 0),
    hidden: named("noscript").map(wordsWithin).join(" "),
    hasPassword: named("input").some(({ attributes }) => attributes.type?.toLowerCase() === "password"),
    hasMount: elements.some((element) => mountIds.has(element.attributes.id ?? "") && isAlmostEmpty(element)),
    images: named("img").length,
    isDated:
      isDiscussion(elements) ||
      metas.has("article:published_time") ||
      metas.has("datepublished") ||
      items.some(({ types }) => types.some((type) => contentType.test(type))),
    isPaid: items.some(({ properties }) => /^false$/i.test(String(properties.get("isAccessibleForFree")?.[0] ?? ""))),
  };
}

/** An element with more text was filled by scripts or by the server; less may be a loading message. */
const isAlmostEmpty = (mount: PageView["root"]): boolean => openingOf(mount, MAX_LOADING_LENGTH + 1).length <= MAX_LOADING_LENGTH;

const partsOf = (whole: string): string[] => partsOfTitle(whole.slice(0, 500));

const partsOfTitle = (title: string): string[] =>
  [title, ...title.split(/\s+[|–—·•»:-]+\s+|\s*[|»]\s*/)].map((part) => part.trim().slice(0, 200)).filter((part) => part !== "");

const discussionClass =
  /(?<![a-z])(?:thread|reply|replies|post-?(?:body|message|content)|message-?(?:body|content)|comment-?(?:body|text|content))(?![a-z])/i;

/** A thread may be called after the error it discusses. */
const isDiscussion = (elements: PageView["elements"]): boolean => {
  let count = 0;
  for (const { attributes } of elements)
    if (attributes.class !== undefined && discussionClass.test(attributes.class.slice(0, 300))) count += 1;
  return count > 1;
};

const wordsWithin = ({ children }: PageView["root"]): string =>
  children
    .map((child) => (typeof child === "string" ? child : textOf(child)))
    .join(" ")
    .slice(0, 2000);
