/** Detects passages that are not content: rows of links, breadcrumbs, pagers, notices and buttons that the page reader left in. */
import { isCode, isTable, splitLinks, visibleText } from "./passages.ts";
import { normaliseWords } from "./section-names.ts";

/** Headings of lists of other pages. */
const linkListTitles =
  /^ (?:on this page|in this (?:article|page|section|guide)|table of contents|(?:you may|you might) also (?:like|be interested in)|related (?:products|articles|posts|pages|content|links|reading|resources|guides|topics|stories)|customers also (?:bought|viewed)|(?:recently|last) viewed|frequently bought together|recommended (?:for you|products|reading)|recent (?:posts|articles)|popular (?:posts|articles|products)|read next|up next|more articles|share(?: this)?(?: page| article| post| on)?|follow us|stay in touch|join our newsletter|newsletter|subscribe(?: to our newsletter)?|cookie (?:settings|preferences|notice|policy)|breadcrumbs?|leave a (?:reply|comment)|quick links|auf dieser seite|inhaltsverzeichnis|das konnte (?:sie|ihnen) auch (?:interessieren|gefallen)|ahnliche (?:produkte|artikel)|verwandte (?:artikel|themen)|teilen|sur cette page|table des matieres|vous aimerez aussi|articles (?:similaires|lies)|produits similaires|partager|en esta pagina|indice|tambien te puede (?:interesar|gustar)|articulos relacionados|productos relacionados|compartir) $/;
/** Labels of buttons. */
const buttons =
  /^ (?:skip to (?:main )?content|skip navigation|back to top|top|menu|close|search|share|print|copy(?: link| code)?|edit(?: this page)?|edit (?:this page )?on (?:github|gitlab)|view (?:source|all|more)|show (?:more|all|less)|load more|read more|learn more|see (?:more|all)|next(?: page)?|previous(?: page)?|prev|home|log ?in|sign (?:in|up)|sign up(?: for)? free|subscribe|accept(?: all)?(?: cookies)?|reject(?: all)?|add to (?:cart|basket|bag|wish ?list)|buy now|add|was this (?:page|article) helpful(?: yes no)?|yes no|mehr (?:lesen|erfahren)|weiterlesen|nach oben|drucken|in den warenkorb|en savoir plus|lire la suite|haut de page|ajouter au panier|leer mas|mas informacion|anadir al carrito|volver arriba) $/;
const notices: readonly RegExp[] = [
  / (?:we|this (?:web)?site|our (?:web)?site|our partners|wir|diese (?:web)?seite|nous|ce site|este sitio|esta web) (?:and our partners )?(?:use|uses|verwende[nt]|nutz(?:en|t)|utilis(?:ons|e)|utiliza|usa) cookies /,
  / (?:by|if you) (?:click|continu|us|brows|visit)[a-z]{0,5} .{0,80}cookies /,
  / (?:subscribe|sign up|register) (?:to|for) our .{0,40}(?:newsletter|mailing list) | join our (?:newsletter|mailing list) /,
  / (?:unseren newsletter|notre (?:newsletter|infolettre)|nuestro (?:boletin|newsletter)|la nostra newsletter) /,
  / all rights reserved | alle rechte vorbehalten | tous droits reserves | todos los derechos reservados /,
  /^ (?:copyright|c) (?:\d{4}|by) /,
];

/** A longer text is content. */
const MAX_NOTICE_LENGTH = 400;

export const isBoilerplateTitle = (heading: string): boolean => linkListTitles.test(normaliseWords(heading));

/** Whether a passage is not content. */
export function isBoilerplate(passage: string): boolean {
  if (isCode(passage)) return false;
  const { rest, linkTexts } = splitLinks(passage);
  if (linkTexts.length === 0 && !/[\p{L}\p{N}]/u.test(rest)) return true;
  if (isNotice(passage)) return true;
  const lines = passage.split("\n").filter((line) => line.trim() !== "");
  const contentLines = lines.filter((line) => !isLinkLine(line, isTable(passage)) && !isLabel(line) && !isNotice(line));
  const isMenu = lines.length >= 4 && contentLines.length <= 0.25 * lines.length && contentLines.every(isShortLabel);
  return contentLines.length === 0 || isMenu;
}

/** A heading of a link list, or a button label. */
export const isLabel = (line: string): boolean => {
  if (line.length > MAX_NOTICE_LENGTH) return false;
  const words = normaliseWords(visibleText(line));
  return linkListTitles.test(words) || buttons.test(words);
};

const isNotice = (passage: string) => {
  if (passage.length > MAX_NOTICE_LENGTH) return false;
  const words = normaliseWords(visibleText(passage), MAX_NOTICE_LENGTH);
  return notices.some((pattern) => pattern.test(words)) || (passage.length <= 200 && /^[\s*_]*©/.test(passage));
};

/** A line of links with only separators and prices between them. */
function isLinkLine(line: string, isRow: boolean): boolean {
  if (isRow && /^[|\s:-]+$/.test(line)) return true;
  const { linkTexts, rest } = splitLinks(line);
  if (linkTexts.length === 0) return false;
  const letters = letterCount(rest);
  if (letters === 0) return !(isRow && /\p{N}/u.test(rest));
  // The last breadcrumb is the page itself, without a link.
  return !isRow && letters <= 60 && /^(?:[›»>/→|·•]|\\>)\s/u.test(rest.trimStart()) && !/[.!?]$/.test(rest.trimEnd());
}

const letterCount = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** A menu item without a link, such as that of the current page. */
const isShortLabel = (line: string) => line.length <= 60 && !/[.!?:;,]/.test(line) && normaliseWords(line).trim().split(" ").length <= 4;
