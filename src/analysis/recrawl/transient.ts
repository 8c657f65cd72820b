import type { PagePart, PartLink } from "../../core/records.ts";
import { isWeatherLine, withoutFilledIn } from "./passing-forms.ts";
import { stableUrl } from "./passing-urls.ts";

/**
 * Content that by its own form, or by its name in the page, changes without anybody editing the page: clocks, counters, tokens, weather,
 * and lists of most-read pages. Everything else needs evidence (`noise.ts`).
 */

/**
 * Names that a content management system gives to any list: Drupal's `views-row`, `block-views`, `view-mode-teaser`. They are removed
 * before matching.
 */
const CMS_NAMES = /(?<![\p{L}\d])(?:block-)?views?-(?!count|number|total|tracker)[\w-]*|(?<![\p{L}\d])block-views\b|[\w-]*-mode-[\w-]+/giu;

/** Generated style names may by chance begin with a listed word: `css-ad4677`. */
const STYLE_NAMES = /(?<![\p{L}\d])(?:css|sc|jss|svelte|emotion|ssrcss|astro|tss)-[\w-]*/giu;

/**
 * Classes, ids and labels split into words: `latest-news`, `latestNews` and `latest_news` are equal. Generated names with digits are
 * dropped.
 */
function wordsOf(names: string): string {
  const words = names
    .replace(CMS_NAMES, " ")
    .replace(STYLE_NAMES, " ")
    .split(/[^\p{L}\d]+/u)
    .map((name) => name.replace(/^(\p{L}+)\d\d?$/u, "$1"))
    .filter((name) => name !== "" && !/\d/.test(name));
  return ` ${words
    .join(" ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()} `;
}

const anyWord = (words: string) => new RegExp(` (?:${words}) `, "u");

const NAMES = {
  /** Transient whatever the content is. */
  all: anyWord(
    "advert|adverts|advertisement|advertising|ad|ads|adsense|sponsored|werbung|cookie|cookies|consent|gdpr|breadcrumb|breadcrumbs|crumb|crumbs|crumbtrail|you are here|tagcloud|tag cloud|ticker|captcha|clock|hit counter|hitcounter|pageviews|page views|view count|viewcount|online users|users online|random quote|quote of the day|qotd|server info|debug|twitter feed|twitter timeline|instagram|instagram feed|facebook feed|social feed|social wall|taboola|outbrain",
  ),
  /** Links to other pages, with the words beside them. */
  lists: anyWord(
    "related|similar|recommended|recommendations?|recommender|yarpp|popular|trending|most read|most viewed|most popular|mostread|mostpopular|latest|recent|recently viewed|newest|rss|feed|syndicated|tweets?|bestsellers?|also like|also bought|also read|read next|read more|upsell|cross sell|crosssell",
  ),
  /** The same, but people also write text there, so only the links are transient. */
  linked: anyWord("teasers?|promos?"),
  /** Buttons with their counters. A sentence in such a box is the author's. */
  share: anyWord("share|sharing|share buttons|social share"),
  weather: anyWord("weather|wetter|meteo|weer"),
  poll: anyWord("polls?|umfrage|sondage|encuesta|voting"),
  calendar: anyWord("calendar|datepicker|kalender|calendrier"),
  /** A number on its own. */
  count: anyWord("views|view count|hits|visits|reads|pageviews|shares|share count|likes|like count"),
  /** Numbers and times in a short line. */
  values: anyWord(
    "share|sharing|share buttons|social share|counter|count|hits|visits|views|viewers|watchers|reads|clock|uhr|today|timestamp|countdown|timer|poll",
  ),
};

const MAX_LABEL_LENGTH = 60;
const LIST_LABEL = new RegExp(
  `^(?:${[
    "(?:related|similar|recommended|suggested|popular|trending|latest|newest|recent)(?: (?:news|articles?|posts?|stories|story|pages|topics|content|items|products|reading|comments|entries|links|offers|events|reviews|courses|papers|books|headlines|updates|threads|videos|searches|queries|tags|keywords|themes))?",
    "(?:stories|articles|posts|products|pages) (?:for you|you (?:may|might).*)|(?:picked|chosen|selected|recommended|suggested|just|more) for you|(?:more|also) on this (?:story|topic|subject)|more stories|just (?:published|added|posted)",
    "(?:popular|trending|hot|top|new|most \\p{L}+)(?: (?:stories|posts|news|articles|topics))? (?:this (?:week|month|year)|today|now|right now|on \\p{L}+)|hot topics|what.s (?:hot|new|trending)|(?:elsewhere|from) (?:on|around) the web|around the web|sponsored(?: \\p{L}+)?|you missed|in case you missed it|up next|next up",
    "(?:recently|last|zuletzt) (?:viewed|seen|visited|angesehen)(?: .*)?|(?:our |the )?best ?sellers?|upcoming (?:events?|dates)|headlines",
    "(?:frequently |often )?(?:bought|borrowed) together|(?:pairs|goes) (?:well|best|great|perfectly) with|complete (?:the|your) (?:look|set|outfit)|wird oft zusammen gekauft",
    "(?:latest|newest|recent|more|popular|recommended)(?: (?:from|on|about|in|for|at)\\b.*)?",
    "most (?:read|viewed|popular|shared|commented|clicked|visited|wanted|sold)(?: .*)?",
    "(?:you|readers|people|others|customers|visitors|users)\\b.* (?:like|liked|read|bought|viewed|interest(?:ed)?|interesting|enjoy|looked at|search for)(?: .*)?",
    "(?:also (?:read|interesting|of interest)|read (?:next|also|more)|don.t miss|editors?.? picks?|top (?:stories|posts|news|articles|reads|sellers|\\d+)|best ?sellers?|in other news|now trending|just in|tag cloud|popular tags)",
    "(?:ähnliche|verwandte|neueste|beliebte)(?!\\p{L}).*|das könnte\\b.*|mehr zum\\b.*|mehr aus\\b.*|meist\\s?gelesen.*|am meisten\\b.*|auch interessant|kunden\\b.*kauften.*",
    "à lire aussi|(?:articles|contenus|pages) (?:liés|similaires|récents|associés)|les plus (?:lus|vus|populaires)|dernières (?:nouvelles|actualités)|derniers articles|vous aimerez\\b.*",
    "(?:artículos|noticias|entradas|contenidos|páginas|productos) (?:relacionad[oa]s|recientes|similares|populares)|lo más\\b.*|últimas noticias|también te puede.*",
    "(?:articoli|notizie) (?:correlat[ie]|recenti|simili)|i più letti|ultime notizie|gerelateerde?\\b.*|meest gelezen|laatste nieuws|mais lidas|relacionados|powiązane\\b.*|najnowsze|najczęściej czytane|похожие\\b.*|популярн.*|последние новости|читайте также",
  ].join("|")})$`,
  "iu",
);
/** Beside the main part any box with such a label is a generated list. */
const LIST_LABEL_OUTSIDE = /^(?:related|similar|latest|newest|recent|upcoming)(?: [\p{L}&-]+){1,3}$/iu;
const WEATHER_LABEL = /^(?:the |today.s |local |current )?(?:weather|wetter|météo|el tiempo|meteo|weer|pogoda|погода)\b.*$/iu;
/** Labels of boxes beside the main part that change daily or weekly. */
const DAILY_LABEL =
  /^(?:today.s )?\p{L}[\p{L} -]{0,30} (?:of the (?:day|week|month)|des (?:tages|monats)|der woche|du (?:jour|mois)|de la semaine|del (?:día|giorno|mes))$/iu;
/** A departure board beside the main part; a timetable has other labels. */
const DEPARTURES_LABEL =
  /^(?:(?:the )?next (?:departures?|arrivals?|buses|trains?|trams?|ferr(?:y|ies))|live (?:departures|arrivals)|nächste abfahrten|prochains départs)$/iu;
const COOKIE_LABEL =
  /^(?:we (?:value|respect|care about) your privacy|(?:your )?privacy (?:settings|preferences|choices|preference center)|cookies?(?: (?:settings|preferences|consent|notice|policy))?|about cookies.*)$/iu;
const QUOTE_LABEL = /^(?:quote|tip|word|picture|photo|fact|thought|joke|zitat|citation) (?:of|for|des|du) (?:the |tages|jour)?.*$/iu;

/** Poll results and market data: such figures are not written by hand. */
const POLL_LABEL = /^(?:(?:our |current |online |quick )?polls?|(?:online-?)?umfrage|sondage|encuesta)(?!\p{L}).*$/iu;
const MARKET_LABEL =
  /^(?:(?:the )?(?:stock )?markets?(?: data| today)?|stocks|stock exchange|(?:exchange|currency) rates?|currencies|börse|börsenkurse|wechselkurse|bourse|bolsa)$/iu;
const FIGURE = /[+-]?\d[\d,.'’]*(?:\s?%)?/g;
const ONLY_FIGURE = /^[+-]?\d[\d,.'’]*[.,]\d+(?:\s?%)?$/;

const MAX_SIGNATURE_LENGTH = 40;
/** The author's name below a quote. */
const isSignature = (text: string, below: number) => below === 2 && text.length <= MAX_SIGNATURE_LENGTH && !/\d/.test(text);

/** The price of what is offered today or this week, within the next lines. */
const isOffer = (text: string, below: number) =>
  below <= 3 && text.length <= MAX_SHORT_LENGTH && /\p{Sc}\s?\d|\d\s?(?:\p{Sc}|EUR|USD|GBP|CHF)/u.test(text);

const isLabel = (pattern: RegExp, heading: string) =>
  heading.length <= MAX_LABEL_LENGTH && pattern.test(heading.replace(/[\s:.!…]+$/u, ""));

/** Links to files are chosen by an editor, so they are not transient. */
const FILE = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|zip|txt|rtf|epub|ics|xml|json)(?:[?#]|$)/i;

export interface PartPosition {
  /** Most of its characters are in links; and for `isOfLink`: or its heading is a link. */
  readonly isLinked: boolean;
  readonly isOfLink: boolean;
  /** Number of blocks between the part and its heading. */
  readonly below: number;
}

/** True if the names or labels around a part, or its own text, show that its content changes without an edit. */
export function isTransientPart(part: PagePart, { isLinked: isMostlyLinked, isOfLink, below }: PartPosition): boolean {
  const { text, heading, outer, zone, tag } = part;
  const words = wordsOf(part.names);
  if (NAMES.all.test(words) || isWeatherLine(text)) return true;
  const isShort = text.length <= MAX_SHORT_LENGTH;
  const isOutsideMain = zone !== "main";
  if (ONLY_COUNT.test(text) && NAMES.count.test(words)) return true;
  if (isShort && NAMES.values.test(words) && /\d/.test(text) && (isOutsideMain || withoutCount(part) !== text)) return true;
  if (NAMES.weather.test(words) && isShort && /\d/.test(text)) return true;
  if (NAMES.lists.test(words) && (isMostlyLinked || isOutsideMain || part.picture !== undefined)) return true;
  if (NAMES.share.test(words) && (isMostlyLinked || text.split(" ").length <= MAX_COUNT_WORDS)) return true;
  if (NAMES.linked.test(words) && isMostlyLinked) return true;
  if (isOutsideMain && isMostlyLinked && isLabel(LIST_LABEL_OUTSIDE, heading)) return true;
  if (isLabel(LIST_LABEL, heading) && (isMostlyLinked || (text === heading && tag !== "h1"))) return true;
  const isEntry = isOfLink || part.picture !== undefined;
  if (isEntry && outer.some((label) => isLabel(LIST_LABEL, label) || (isOutsideMain && isLabel(LIST_LABEL_OUTSIDE, label)))) return true;
  if (NAMES.calendar.test(words) && isShort && (DAY_NUMBER.test(text) || MONTH_AND_YEAR.test(text))) return true;
  if (BREADCRUMB.test(text) && isShort) return true;
  if (isLabel(WEATHER_LABEL, heading) && ((isOutsideMain && below === 1) || (isShort && DEGREES.test(text)))) return true;
  if (isLabel(QUOTE_LABEL, heading) && (below === 1 || isSignature(text, below))) return true;
  if (isOutsideMain && isLabel(DAILY_LABEL, heading) && (below === 1 || isSignature(text, below) || isOffer(text, below))) return true;
  if (isOutsideMain && OF_THE_DAY.test(text)) return true;
  // In the main part a page may be about cookies.
  if (isOutsideMain && COOKIES.test(text) && text.length < MAX_NOTICE_LENGTH) return true;
  if (isOutsideMain && isShort && isLabel(COOKIE_LABEL, heading)) return true;
  if (isOutsideMain && isShort && isLabel(DEPARTURES_LABEL, heading) && /\d[:.]\d\d/.test(text)) return true;
  if (isOutsideMain && (EXCHANGE_RATE.test(text) || RATING.test(text))) return true;
  if (isShort && (DELIVERY_DATE.test(text) || TIME_TO_GO.test(text))) return true;
  if (!isOutsideMain || !isShort) return false;
  if (OPEN_NOW.test(text) || TIME_LEFT.test(text)) return true;
  return DEGREES.test(text) || (isDateOrTime(text) && (zone !== "aside" || heading === ""));
}

/** Files and other sites are chosen by an editor. */
export const isListLink = ({ url }: PartLink, host: string): boolean => !FILE.test(url) && hostIn(url) === host;

/** True for a label of a list that a program fills, such as `Popular searches:`. */
export const isListLabel = (label: string): boolean => isLabel(LIST_LABEL, label) && !WRITTEN_LABEL.test(label);
/** In a line of its own text, an author writes such words too. */
const WRITTEN_LABEL = /^(?:more|also|latest|newest|new|top|read|headlines|upcoming)(?!\p{L})/iu;

export function isTransientLink(link: PartLink, host: string): boolean {
  const words = wordsOf(link.names);
  if (NAMES.all.test(words)) return true;
  if (link.block.length <= MAX_SHORT_LENGTH && BREADCRUMB.test(link.block)) return true;
  if (FILE.test(link.url)) return false;
  const isOwn = hostIn(link.url) === host;
  if (NAMES.lists.test(words) || NAMES.linked.test(words) || NAMES.share.test(words)) return true;
  const labels = [link.heading, ...link.outer];
  if (isOwn && link.zone !== "main" && isLabel(DAILY_LABEL, link.heading)) return true;
  return isOwn && labels.some((label) => isLabel(LIST_LABEL, label) || (link.zone !== "main" && isLabel(LIST_LABEL_OUTSIDE, label)));
}

const hostIn = (url: string) => /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? "";

const MAX_SHORT_LENGTH = 100;
const DAY_NUMBER = /^\d{1,2}$/;
/** A breadcrumb or back link, which depends on how the visitor came. */
const BREADCRUMB =
  /^(?:you are here|sie sind hier|vous êtes ici|estás aquí|usted está aquí|tu sei qui|u bent hier)\b|^[«‹<←] ?(?:back to|zurück z|retour à|volver a)/iu;
const MAX_NOTICE_LENGTH = 300;
const ONLY_COUNT = /^\d[\d.,'’ ]*[km+]?$/i;
const OF_THE_DAY = /^(?:quote|tip|word|fact|thought|joke|zitat|spruch|citation) (?:of|des|du) (?:the |tages|jour)?.{0,6}:/iu;
/** `1 EUR = 1.0788 USD` */
const EXCHANGE_RATE = /^(?:1|100) [A-Z]{3} = \d+[.,]\d+ [A-Z]{3}$/;
/** `4.84 of 5 from 20,110 ratings` */
const RATING =
  /^(?:(?:we are )?rated |rating:? |bewertet mit |noté )?\d[.,]\d+ ?(?:of|out of|von|sur|\/) ?(?:5|10)\b.{0,30}\d[\d.,' ]* (?:ratings|reviews|votes|bewertungen|avis|customers)\)?$/iu;
const OPEN_NOW =
  /^(?:(?:we(?: are|.re)|wir haben|currently|now|jetzt) )?(?:open|closed|geöffnet|geschlossen|ouvert|fermé) (?:now|right now|at the moment)[.!]?$|^(?:wir haben )?(?:jetzt|gerade) (?:geöffnet|geschlossen)$/iu;
/** A remaining time and nothing else. */
const TIME_LEFT =
  /^(?:(?:only|still|noch|in|dans|encore|en) )?\d+ (?:minutes?|hours?|days?|weeks?|stunden?|tagen?|wochen?|heures?|jours?|semaines?|días?)(?: (?:left|to go|remaining|übrig|restants?))?(?:,? \d+ (?:minutes?|hours?|days?|stunden?|heures?))?[.!]?$/iu;
const DEGREES = /-?\d+\s?°(?:\s?[CF]\b)?/;
const TIME_TO_GO = /^(?:only |still )?\d+ (?:minutes?|hours?|days?|weeks?) to go[.!]?$/iu;
const TEMPERATURES = /-?\d+(?:[.,]\d)?\s?(?:°\s?[CF]?|[CF])(?![\p{L}\d])/gu;
/** A temperature with the weather in one line. */
const DEGREES_AND_SKY = /^-?\d+\s?°\s?[CF]?[ ,·|–-]*[\p{L} ]{0,25}$/iu;
const COOKIES =
  /\bcookies?\b.{0,200}\b(?:accept|agree|consent|use|privacy|akzeptier|zustimm|verwende|utilis|usa)|\b(?:we|wir|nous) (?:use|verwenden|utilisons) .{0,40}\bcookies?\b/iu;

const COUNT_WORDS =
  "views?|reads|visitors?|hits?|shares?|likes?|(?:guests?|members?|users?|people|readers?)(?: are| and \\d+ members)? (?:online|viewing|looking|watching|on this (?:page|site))|(?:people|users|customers) found|aufrufe|mal gelesen|vues?|visiteurs?|lecturas|bezoekers|weergaven|wyświetleń|просмотр\\p{L}*";
/** Counts that people may also write by hand: three visits at home, eight times a year, 40 guests. */
const COUNT_WORDS_OUTSIDE =
  "visits?|clicks?|downloads?|times|votes|ratings|reviews|besucher(?:innen)?|besuche|klicks|stimmen|bewertungen|visites?|lectures|visitas|votos|avis";
const countAfter = (counted: string) => new RegExp(`\\d[\\d.,'’]*(?: \\d{3})*(?=\\+?\\s*(?:${counted})(?!\\p{L}))`, "giu");
const COUNT_AFTER = countAfter(COUNT_WORDS);
const ANY_COUNT_AFTER = countAfter(`${COUNT_WORDS}|${COUNT_WORDS_OUTSIDE}`);
const COUNT_BEFORE =
  /((?:visitor (?:number|no\.?|#)|(?:visits|visitors|views|hits|reads|page views|besucher|aufrufe|zugriffe|vues|visites|visitas)(?: so far| today| total)?\s*:|read|viewed|visited|gelesen)\s*)\d[\d.,'’]*(?: \d{3})*/giu;
const MAX_COUNT_WORDS = 5;
/** A sentence about the page itself and the present moment. */
const ABOUT_THIS_PAGE =
  /\b(?:this (?:page|site|article|post|video|file|product|item|story|helpful|useful)|(?:you are|your) (?:the )?visitor|right now|online|so far|currently|at the moment|diese seite|gerade|bisher|cette page|esta página|mal gelesen)\b/iu;
const SEGMENTS = /(\s+[·|•–]\s+|, (?!\d))/u;

/** Replaces view counts in a short line, or in a sentence about the page itself. Numbers in tables are facts. */
function withoutCount({ text, tag, zone }: Pick<PagePart, "text" | "tag" | "zone">): string {
  if (tag === "td" || tag === "dd" || text.length > MAX_NOTICE_LENGTH) return text;
  const after = zone === "main" && !ABOUT_THIS_PAGE.test(text) ? COUNT_AFTER : ANY_COUNT_AFTER;
  const stable = (segment: string) => segment.replace(after, "{count}").replace(COUNT_BEFORE, "$1{count}");
  if (ABOUT_THIS_PAGE.test(text)) return stable(text);
  return text
    .split(SEGMENTS)
    .map((segment) => (segment.split(" ").length <= MAX_COUNT_WORDS && !segment.endsWith(".") ? stable(segment) : segment))
    .join("");
}

const MONTH =
  "(?:jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre)\\.?";
const WEEKDAY =
  "(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\\.?";
const DATE = `(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4}|\\d{1,2}(?:st|nd|rd|th|\\.)?(?: de)? ${MONTH}(?:,? (?:de )?\\d{4})?|${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?)`;
const CLOCK_TIME = "\\d{1,2}:\\d\\d(?::\\d\\d)?(?:[.,]\\d+)?(?:\\s?[ap]\\.?m\\.?)?(?:\\s?(?:Z|UTC|GMT|CET|CEST|Uhr|[+-]\\d\\d:?\\d\\d))?";
const TIMESTAMP = "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:\\s?Z|\\s?UTC|\\s?[+-]\\d\\d:?\\d\\d)?";
const DATE_OR_TIME = `(?:${TIMESTAMP}|(?:${WEEKDAY},? )?${DATE}(?:,?(?: at| um| à|, | ·| -| \\|)? ?${CLOCK_TIME})?|(?:${WEEKDAY},? )?${CLOCK_TIME}(?:,? ${DATE})?)`;
/** Nothing but a date or time: outside the main part that is a clock. */
const ONLY_DATE_OR_TIME = new RegExp(
  `^(?:(?:today|now|heute|date|time|local time|current time|it is|today is|heute ist)[:,]? )?${DATE_OR_TIME}$`,
  "iu",
);
const isDateOrTime = (text: string) => text.length <= MAX_SHORT_LENGTH && ONLY_DATE_OR_TIME.test(text);

const SECONDS = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g;
/** A time at which a program produced the page. */
const GENERATED_AT = new RegExp(
  `((?:today(?: is|:)?|right now|it is(?: (?:now|currently))?|current (?:date|time)|local time|server time|time now|generated|served|rendered|printed|retrieved|accessed|requested|loaded|fetched|downloaded|abgerufen|erzeugt|generiert|heute ist|consulté|généré)(?: (?:on|at|in|am|um|by|le|à|the|page))*[:,]? )${DATE_OR_TIME}`,
  "giu",
);
/** A modification date: it adds nothing to the change itself, and means nothing if nothing else has changed. */
const MODIFIED_WORDS =
  "(?:(?:this |the )?page )?(?:was )?(?:last )?(?:updated|modified|changed|edited|revised|refreshed)|last (?:update|modification|change|revision)|(?:zuletzt |letzte )?(?:aktualisiert|geändert|aktualisierung|änderung|bearbeitet)|(?:dernière )?mise à jour|mis à jour|última (?:actualización|modificación)|actualizado|ultimo aggiornamento|aggiornato|laatst (?:bijgewerkt|gewijzigd)";
const TEXT_SEPARATORS = /\s+[|·•]\s+/u;
const ONLY_MODIFIED_DATE = new RegExp(
  `^(?:${MODIFIED_WORDS})(?: (?:on|at|am|um|le|el|il|op|date))*[:,]? ?${DATE_OR_TIME}(?: by [^.]{1,40})?[.]?$`,
  "iu",
);
/** In a footer or beside the text, also the date that figures refer to. */
const AS_OF = new RegExp(`((?:as of|stand|${MODIFIED_WORDS})(?: (?:on|at|am|um|le|el|il|op|date))*[:,]? )${DATE_OR_TIME}`, "giu");
const DELIVERY_DATE = new RegExp(
  `^(?:(?:get it|delivered|arrives|arriving|delivery|ships|order now and get it|lieferung|livraison)(?: (?:by|on|bis|am|le|avant))?[:,]? )${DATE_OR_TIME}[.]?$`,
  "iu",
);
/** A date at the start of a line or after a separator, in a header or footer. */
const CURRENT_DATE = new RegExp(
  `(^|[|·•–] ?)(?:${WEEKDAY},? ${DATE}(?:,?(?: at| \\||,)? ?${CLOCK_TIME})?|${DATE},? (?:at )?${CLOCK_TIME})`,
  "giu",
);
const CURRENT_WEEK = /((?:^|[^\p{L}])(?:calendar week|week|kw|semaine) )\d{1,2}(?!\d)/giu;
const GREETING =
  /^(?:good (?:morning|afternoon|evening|day|night)|guten (?:morgen|tag|abend)|bonjour|bonsoir|buen[ao]s (?:días|tardes|noches))\b/iu;
/** How long a program took. */
const PROCESSING_TIME =
  /\b((?:served|generated|rendered|loaded|created|processed|executed|built|erzeugt|generiert|généré)(?: in| en)?(?: about)? )\d+(?:[.,]\d+)?(?= ?(?:ms|milliseconds?|s|sec|secs|seconds?|sekunden|secondes?)\b)/giu;
/** A value that is labelled as a token is one, whatever it looks like. */
const NAMED_TOKEN = /\b((?:session|request|trace|correlation|token|nonce|csrf)(?: ?(?:id|no\.?|number|key))?:? #?)(?=[\w-]*\d)[\w-]{5,}/giu;
const TOKEN =
  /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}|(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{20,})\b/g;

const MONTH_AND_YEAR = new RegExp(`^${MONTH} \\d{4}$`, "iu");

const ANY_DATE_OR_TIME = new RegExp(DATE_OR_TIME, "giu");

/** A list of links with dates counts as links only. */
export const withoutDates = (text: string): string => text.replace(ANY_DATE_OR_TIME, "");

/** A number of comments and nothing else. */
const ONLY_REPLY_COUNT =
  /^\d[\d.,]*(?= (?:comments?|replies|responses|reactions|kommentare?|antworten|commentaires?|réponses|comentarios?|reacties)$)/iu;
/** The number of items in the visitor's basket or inbox. */
const BASKET_COUNT =
  /^((?:my |your |shopping )?(?:cart|basket|bag|inbox|messages|notifications|wish ?list|warenkorb|merkliste|panier|cesta|carrito|carrello)[: (]+)\d+(?=\)?(?: (?:items?|products?|artikel|articles?|productos?))?$)/iu;
const COPYRIGHT_YEARS = /((?:©|\bcopyright\b|\(c\)).{0,60}?)\b(?:19|20)\d\d(?:\s?[–-]\s?(?:(?:19|20)\d\d))?/giu;
/** The build that answered. */
const BUILD_ID = /\b(build|release|revision|rev|commit|sha|deploy(?:ed|ment)?)([ :#]+)(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{7,40}\b/giu;
const NUMBER_OF_VERSION = /\bv?\d+(?:\.\d+)+\b/giu;
/** The number of database queries. */
const QUERY_COUNT = /\d+(?= (?:(?:sql|db|database|mysql) )?(?:queries|query|abfragen|requêtes)\b)/giu;

function withoutBuild(text: string): string {
  const stable = text.replace(BUILD_ID, "$1$2{build}");
  return stable === text || text.length > MAX_SHORT_LENGTH ? stable : stable.replace(NUMBER_OF_VERSION, "{version}");
}

/** The text without parts that differ on every fetch by their form. Undefined if there are none. */
export function stableText(part: Pick<PagePart, "text" | "tag" | "zone" | "heading" | "names">): string | undefined {
  const { text, zone } = part;
  const pieces = text.split(TEXT_SEPARATORS);
  if (pieces.some((piece) => ONLY_MODIFIED_DATE.test(piece)))
    return pieces.map((piece) => piece.replace(ONLY_MODIFIED_DATE, "{time}")).join(" | ");
  let stable = withoutFilledIn(withoutCount(part)).replace(PROCESSING_TIME, "$1{time}").replace(NAMED_TOKEN, "$1{token}");
  if (stable.includes("{time}")) stable = stable.replace(QUERY_COUNT, "{count}");
  stable = stable.replace(ONLY_REPLY_COUNT, "{count}").replace(BASKET_COUNT, "$1{count}");
  // In a long text of the main part, such phrases may be the topic.
  if (zone !== "main" || text.length <= MAX_SHORT_LENGTH) stable = stable.replace(GENERATED_AT, "$1{time}").replace(GREETING, "{greeting}");
  const isPoll = isLabel(POLL_LABEL, part.heading) && (zone !== "main" || NAMES.poll.test(wordsOf(part.names)));
  const isPollResult = isPoll && text.includes("%");
  const isMarketFigure = zone !== "main" && isLabel(MARKET_LABEL, part.heading) && ONLY_FIGURE.test(text);
  if (isPollResult || isMarketFigure) stable = stable.replace(FIGURE, "{figure}");
  if (zone !== "main" && text.length <= MAX_SHORT_LENGTH) stable = stable.replace(DEGREES_AND_SKY, "{degrees}");
  if (zone === "header" || zone === "footer")
    stable = stable.replace(CURRENT_DATE, "$1{day}").replace(CURRENT_WEEK, "$1{week}").replace(TEMPERATURES, "{degrees}");
  if (zone !== "main" || text.length <= MAX_SHORT_LENGTH) stable = stable.replace(COPYRIGHT_YEARS, "$1{year}");
  if (zone !== "main") stable = withoutBuild(stable);
  if (zone !== "main") stable = stable.replace(AS_OF, "$1{time}").replace(TOKEN, "{token}").replace(SECONDS, "{time}");
  return stable === text ? undefined : stable;
}

/** Facts of the head about the current moment or the visitor. */
const TRANSIENT_FACT =
  /(?:updated_time|modified_time|datemodified|dateupdated|uploaddate|datecreated\.now|pricevaliduntil|interactioncount|userinteractioncount|aggregaterating\.(?:ratingvalue|ratingcount|reviewcount)|viewcount|sessionid|nonce|token)$/i;

export const isTransientFact = ({ name }: { readonly name: string }): boolean => TRANSIENT_FACT.test(name);

/** Facts that are URLs. */
const HTTP_URL = /^https?:\/\//i;
const IMAGE_NAME = /\.(?:jpe?g|png|gif|webp|avif|svg|ico)(?:[?#]|$)|(?:^|[:.])(?:image|logo|thumbnail(?:url)?|contenturl)(?:$|[:.])/i;

export const stableFact = ({ name, value }: { readonly name: string; readonly value: string }): string =>
  HTTP_URL.test(value)
    ? stableUrl(value, IMAGE_NAME.test(name) || IMAGE_NAME.test(value))
    : value.replace(TOKEN, "{token}").replace(SECONDS, "{time}");
