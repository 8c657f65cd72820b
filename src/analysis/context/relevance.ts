/** Estimates from a link's text, URL and position how likely its target explains the product: 0–1. */
import { registrableDomain } from "../url/index.ts";
import { clearSectionOf, normaliseWords, pathWords, type SectionName, sectionOfWords } from "./section-names.ts";

export interface SeenLink {
  readonly url: string;
  readonly text: string;
  readonly title: string;
  readonly heading: string;
  readonly block: string;
  readonly rel: string;
  /** Index among the links of its page. */
  readonly position: number;
}

export interface RelevanceView {
  readonly rootUrl: string;
  /** Number of links on the page. */
  readonly links: number;
  /** How well the keywords match a link, 0–1; undefined without keywords. */
  readonly match?: ((link: SeenLink) => number) | undefined;
}

export interface Relevance {
  readonly score: number;
  /** The question that the target probably answers. */
  readonly section: SectionName | undefined;
}

/** Explanatory pages whose name is not one of the four questions. */
const explanatory =
  / (?:products? |platform |solutions? |tour |use cases? |integrations? |pricing |plans |preise |tarifs |precios |faqs? |reference |api |technology |security |materials? |sizing|research |programmes? |programs? |studium |departments? |services |produkte |produits |productos |leistungen |servicios )/;
const unrelated =
  / (?:log ?in |sign ?(?:in|up|out) |register |registration |my account|account |cart |basket |checkout |wish ?list|your orders?|track (?:my |your )?order|privacy|cookies? |terms (?:of (?:use|service|sale)|and conditions|conditions) |legal |imprint |impressum |datenschutz|agb |mentions legales|aviso legal|confidentialite|privacidad|careers? |jobs? |open positions|karriere|stellen |press |investors? |newsletter|subscribe |unsubscribe |share |tweet |rss |print |search |suche |sitemap |site map|accessibility |status |report a|sponsor|donate |anmelden |registrieren |warenkorb |connexion |panier |iniciar sesion|carrito |gift (?:cards?|vouchers?)|returns |shipping |delivery |edit |history |talk )/;
/** News and posts report events and do not explain the product. */
const timeBound =
  / (?:blog |news |posts? |article |events? |webinars? |podcast|stories |story |case stud(?:y|ies) |changelog |release notes|releases |tags? |category |categories |archives? |page \d|author |forum |community |nachrichten |actualites |noticias |sale )/;
const datedPath = /\/(?:19|20)\d\d\/\d{1,2}\//;
const unreadFiles =
  /\.(?:zip|gz|tgz|bz2|xz|7z|exe|msi|dmg|pkg|deb|rpm|apk|mp[34]|mov|avi|webm|png|jpe?g|gif|webp|avif|svg|ico|css|m?js|json|xml|rss|atom|ics|woff2?)$/i;

/** The link's words dominate the score; its position and form change it only a little. */
export function relevanceOf(link: SeenLink, { rootUrl, links, match }: RelevanceView): Relevance {
  if (!URL.canParse(link.url) || !/^https?:/.test(link.url)) return { score: 0, section: undefined };
  const target = new URL(link.url);
  const root = new URL(rootUrl);
  const path = pathWords(link.url);
  const [textWords, urlWords] = [normaliseWords(link.text || link.title), normaliseWords(path)];
  const section =
    clearSectionOf(textWords) ??
    clearSectionOf(urlWords) ??
    sectionOfWords(textWords) ??
    sectionOfWords(urlWords) ??
    sectionOfWords(link.heading);
  if (isSamePage(target, root) || unreadFiles.test(target.pathname)) return { score: 0, section };
  let score = isSameSite(target.hostname, root.hostname) ? 0.25 : 0;
  score += 0.35 * clarityOf(textWords) + 0.2 * clarityOf(urlWords);
  if (link.heading !== "" && clarityOf(normaliseWords(link.heading)) > 0.5) score += 0.05;
  // Links that come early or inside a sentence are those that the page wants to be followed.
  score += 0.1 * (1 - Math.min(1, link.position / Math.max(1, links)));
  if (link.block.length > link.text.length + 40) score += 0.05;
  score -= penaltyOf(link, target, textWords, urlWords);
  if (match) score += 0.5 * match(link);
  return { score: Math.round(1000 * Math.min(1, Math.max(0, score))) / 1000, section };
}

/** How clearly words name a question, 0–1: high for "Features", low for "Our ten favourite features of spring". */
function clarityOf(words: string): number {
  const count = words.trim().split(" ").length;
  const lengthFactor = count <= 3 ? 1 : Math.max(0.4, 1 - 0.12 * (count - 3));
  if (clearSectionOf(words) !== undefined) return lengthFactor;
  if (sectionOfWords(words) !== undefined) return 0.75 * lengthFactor;
  return explanatory.test(words) ? 0.55 * lengthFactor : 0;
}

function penaltyOf(link: SeenLink, { pathname, search }: URL, textWords: string, urlWords: string): number {
  let cost = 0.04 * Math.max(0, pathname.split("/").filter(Boolean).length - 2);
  if (/\b(?:nofollow|sponsored|ugc)\b/i.test(link.rel)) cost += 0.2;
  if (/\b(?:next|prev|alternate|license|privacy-policy|terms-of-service|search|tag)\b/i.test(link.rel)) cost += 0.3;
  if (search !== "") cost += 0.1;
  if (textWords.trim() === "") cost += 0.1;
  if (unrelated.test(textWords) || unrelated.test(urlWords)) cost += 0.6;
  else if (timeBound.test(textWords) || timeBound.test(urlWords) || datedPath.test(pathname)) cost += 0.2;
  return cost;
}

const isSamePage = (one: URL, other: URL) => one.host === other.host && one.pathname === other.pathname && one.search === other.search;

/** By registrable domain: `docs.example.org` belongs to `www.example.org`. */
const isSameSite = (one: string, other: string) => {
  const domain = registrableDomain(one);
  return one === other || (domain !== undefined && domain === registrableDomain(other));
};
