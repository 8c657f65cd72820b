/**
 * Whether the response is the requested page. Exports omit pages with a verdict other than "ok", so such a verdict
 * requires that the page has hardly any other text: an article about captchas, or a thread called "404 not found", does.
 */
import type { Found, PageVerdict } from "../records.ts";
import { openingOf, type PageView, textOf } from "./page-view.ts";
import * as signs from "./verdict-signs.ts";

/** A main text of this length is real content. */
const LONG = 1500;
/** Limit on all visible text, menus included. */
const SHORT = 600;
/** Hardly any text. */
const EMPTY = 120;
const HOLLOW = 30;

/** `letters` is the length of the main text. */
export function verdictOf(page: PageView, letters: number): Found<PageVerdict> {
  if (letters >= LONG) return fine;
  const look = lookAt(page);
  for (const judge of judges) {
    const found = judge(look);
    if (found !== undefined) return found;
  }
  return fine;
}

const fine: Found<PageVerdict> = { value: "ok", source: "" };

interface Look {
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

type Judge = (look: Look) => Found<PageVerdict> | undefined;

const titleOrHeading = ({ title, headings }: Look, pattern: RegExp): string | undefined =>
  title.some((part) => pattern.test(part)) ? "title" : headings.some((part) => pattern.test(part)) ? "h1" : undefined;

const judges: readonly Judge[] = [botWall, parked, consentWall, soft404, loginWall, scriptShell];

function botWall(look: Look): Found<PageVerdict> | undefined {
  if (look.isDated) return undefined;
  const said = signs.wallTexts.test(look.text);
  const named = titleOrHeading(look, signs.wallTitles);
  if (look.scripts.some((script) => signs.wallScripts.test(script)) && (named !== undefined || said || look.text.length < EMPTY))
    return { value: "bot-wall", source: "script" };
  if (look.text.length > LONG) return undefined;
  if (named !== undefined && (said || look.text.length < SHORT)) return { value: "bot-wall", source: named };
  return said && look.text.length < SHORT ? { value: "bot-wall", source: "text" } : undefined;
}

function parked(look: Look): Found<PageVerdict> | undefined {
  if (look.isDated || look.text.length > LONG) return undefined;
  if (signs.parkedTexts.test(look.title.join(" ")) || (look.text.length < SHORT && signs.parkedTexts.test(look.text)))
    return { value: "parked", source: "text" };
  return look.text.length < SHORT && look.scripts.some((script) => signs.parkedScripts.test(script))
    ? { value: "parked", source: "script" }
    : undefined;
}

function consentWall(look: Look): Found<PageVerdict> | undefined {
  if (look.isDated || look.text.length > 2 * LONG || !signs.consentTexts.test(look.text)) return undefined;
  const named = titleOrHeading(look, signs.consentTitles);
  if (named !== undefined) return { value: "consent-wall", source: named };
  return /^https?:\/\/consent\./.test(look.url) ? { value: "consent-wall", source: "url" } : undefined;
}

function soft404(look: Look): Found<PageVerdict> | undefined {
  if (look.isDated) return undefined;
  const inTitle = look.title.some((part) => signs.lostTitles.test(part));
  const inHeading = look.headings.some((part) => signs.lostTitles.test(part));
  if (inTitle && inHeading) return { value: "soft-404", source: "title+h1" };
  if (look.text.length > 2 * LONG || (!inTitle && !inHeading)) return undefined;
  return { value: "soft-404", source: inTitle ? "title" : "h1" };
}

function loginWall(look: Look): Found<PageVerdict> | undefined {
  if (look.text.length > LONG) return undefined;
  const named = titleOrHeading(look, signs.loginTitles);
  if (named !== undefined && look.hasPassword) return { value: "login-wall", source: `${named}+password` };
  return look.isPaid && look.text.length < SHORT && signs.paywallTexts.test(look.text)
    ? { value: "login-wall", source: "text" }
    : undefined;
}

function scriptShell(look: Look): Found<PageVerdict> | undefined {
  if (look.text.length > EMPTY || look.images > 3 || look.scripts.length === 0) return undefined;
  if (signs.scriptTexts.test(look.hidden) || signs.scriptTexts.test(look.text)) return { value: "script-shell", source: "noscript" };
  return look.hasMount && (look.scriptLength > 0 || look.scripts.some((script) => script !== ""))
    ? { value: "script-shell", source: "scripts" }
    : undefined;
}

const mounts = new Set(["root", "app", "__next", "__nuxt", "___gatsby", "svelte", "react-root", "main-app", "application"]);
const things = /(?:Article|Posting|BlogPosting|QAPage|Question|Product|Recipe|VideoObject|Event|Book|Review)$/;

function lookAt({ url, root, elements, metas, items }: PageView): Look {
  const named = (name: string) => elements.filter((element) => element.name === name);
  const scripts = named("script");
  const title = named("title").map(({ children }) => String(children[0] ?? ""))[0] ?? "";
  return {
    url,
    title: partsOf(title),
    headings: named("h1")
      .slice(0, 3)
      .flatMap((heading) => partsOf(openingOf(heading, 300))),
    text: openingOf(root, 2 * LONG + 1),
    scripts: scripts.map(({ attributes }) => attributes.src ?? ""),
    scriptLength: scripts.reduce((sum, { children }) => sum + String(children[0] ?? "").length, 0),
    hidden: named("noscript").map(wordsWithin).join(" "),
    hasPassword: named("input").some(({ attributes }) => attributes.type?.toLowerCase() === "password"),
    hasMount: elements.some((element) => mounts.has(element.attributes.id ?? "") && isHollow(element)),
    images: named("img").length,
    isDated:
      isTalk(elements) ||
      metas.has("article:published_time") ||
      metas.has("datepublished") ||
      items.some(({ types }) => types.some((type) => things.test(type))),
    isPaid: items.some(({ properties }) => /^false$/i.test(String(properties.get("isAccessibleForFree")?.[0] ?? ""))),
  };
}

/** An element with more text was filled by scripts or by the server; less may be a loading message. */
const isHollow = (mount: PageView["root"]): boolean => openingOf(mount, HOLLOW + 1).length <= HOLLOW;

const partsOf = (whole: string): string[] => partsOfTitle(whole.slice(0, 500));

const partsOfTitle = (title: string): string[] =>
  [title, ...title.split(/\s+[|–—·•»:-]+\s+|\s*[|»]\s*/)].map((part) => part.trim().slice(0, 200)).filter((part) => part !== "");

const talk =
  /(?<![a-z])(?:thread|reply|replies|post-?(?:body|message|content)|message-?(?:body|content)|comment-?(?:body|text|content))(?![a-z])/i;

/** A thread may be called after the error it discusses. */
const isTalk = (elements: PageView["elements"]): boolean => {
  let count = 0;
  for (const { attributes } of elements) if (attributes.class !== undefined && talk.test(attributes.class.slice(0, 300))) count += 1;
  return count > 1;
};

const wordsWithin = ({ children }: PageView["root"]): string =>
  children
    .map((child) => (typeof child === "string" ? child : textOf(child)))
    .join(" ")
    .slice(0, 2000);
