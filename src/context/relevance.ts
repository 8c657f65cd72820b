/** How likely a link of a product's front page leads to something that explains the product: 0–1, from what can be seen of the link. */
import type { SectionName } from "./section-names.ts";
import { sectionOfWords } from "./section-names.ts";

export interface SeenLink {
  readonly url: string;
  readonly text: string;
  readonly title: string;
  readonly heading: string;
  readonly block: string;
  readonly rel: string;
  /** Place among the links of its page. */
  readonly position: number;
}

export interface RelevanceView {
  readonly rootUrl: string;
  /** How many links the page has. */
  readonly links: number;
  /** How far keywords apply to a link, 0–1; undefined where none were given. */
  readonly match?: ((link: SeenLink) => number) | undefined;
}

export interface Relevance {
  readonly score: number;
  readonly section: SectionName | undefined;
}

const worthy =
  /\b(?:products?|platform|solutions?|overview|capabilit(?:y|ies)|how[ -]it[ -]works|use[ -]cases?|why|what[ -]is|introduction|getting[ -]started|quick[ -]?start|architecture|integrations?|pricing|plans|specs?|specifications?|faqs?|reference|api|manual|handbook|learn|technology|security)\b/i;
const worthless =
  /\b(?:log[ -]?in|sign[ -]?(?:in|up|out)|register|account|cart|basket|checkout|wishlist|privacy|cookies?|terms(?:[ -]of[ -](?:use|service))?|legal|imprint|impressum|careers?|jobs|press|investors?|newsletter|subscribe|unsubscribe|share|tweet|rss|print|search|sitemap|accessibility|status|support[ -]ticket|download[ -]app)\b/i;
const unread = /\.(?:zip|gz|tgz|exe|dmg|pkg|deb|rpm|mp[34]|mov|avi|png|jpe?g|gif|webp|svg|ico|css|js)$/i;

export function relevanceOf(link: SeenLink, { rootUrl, links, match }: RelevanceView): Relevance {
  const target = new URL(link.url);
  const root = new URL(rootUrl);
  const path = wordsOf(target.pathname);
  const section = sectionOfWords(link.text) ?? sectionOfWords(path) ?? sectionOfWords(link.heading);
  if (isSamePage(target, root) || unread.test(target.pathname)) return { score: 0, section };
  let score = sameSite(target.hostname, root.hostname) ? 0.3 : 0.05;
  if (sectionOfWords(link.text) !== undefined) score += 0.35;
  else if (worthy.test(link.text) || worthy.test(link.title)) score += 0.25;
  if (sectionOfWords(path) !== undefined) score += 0.2;
  else if (worthy.test(path)) score += 0.12;
  if (link.heading !== "" && (sectionOfWords(link.heading) !== undefined || worthy.test(link.heading))) score += 0.05;
  // What is shown first, and in a sentence, is what the page wants to be followed.
  score += 0.1 * (1 - link.position / Math.max(1, links));
  if (link.block.length > link.text.length + 40) score += 0.05;
  score -= 0.03 * Math.max(0, target.pathname.split("/").filter(Boolean).length - 2);
  if (/\b(?:nofollow|sponsored|ugc)\b/.test(link.rel)) score -= 0.2;
  if (target.search !== "") score -= 0.1;
  if (worthless.test(link.text) || worthless.test(path)) score -= 0.6;
  if (link.text === "") score -= 0.1;
  if (match) score += 0.5 * match(link);
  return { score: Math.round(1000 * Math.min(1, Math.max(0, score))) / 1000, section };
}

const wordsOf = (path: string) => path.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");

const isSamePage = (one: URL, other: URL) => one.host === other.host && one.pathname === other.pathname && one.search === other.search;

/** `docs.example.org` belongs to `www.example.org`. */
function sameSite(one: string, other: string): boolean {
  const [a, b] = [one, other].map((host) => host.replace(/^www\./, ""));
  return a === b || a!.endsWith(`.${b}`) || b!.endsWith(`.${a}`) || tail(a!) === tail(b!);
}

const tail = (host: string) => (/^[\d.]+$|^\[/.test(host) ? host : host.split(".").slice(-2).join("."));
