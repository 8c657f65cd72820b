/** Extracts names of authors from bylines and fields: strips surrounding words and splits lists of names. */
import { limitMarks } from "../../../core/code-units.ts";
import { tidy } from "../../parse/index.ts";

export interface ReadNames {
  readonly names: readonly string[];
  /** Why there is no name. */
  readonly rejected?: string;
}

const MIN_LENGTH = 2;
const MAX_LENGTH = 100;
const MAX_BYLINE_LENGTH = 400;
const MAX_NAMES = 12;

/** Text before a name. `de` and `von` are also parts of names, so they are removed only if a whole name follows. */
const openings =
  /^(?:[-–—|•·:*/,\s]+|(?:(?:article|story|text|texte|texto|testo|words|report|interview|analysis|opinion|guest post|review|reviewed|medically reviewed|fact[- ]checked|written|posted|published|reported|submitted|created|edited|updated|compiled|authored|contributed|started|geschrieben|verfasst|veröffentlicht|publié|écrit|escrito|publicado|scritto|geschreven|skrevet|napisał)\s+)?(?:by|par|por|door|af|av|przez)(?:\s*:\s*|\s+)|(?:authors?|auteurs?|autor(?:in|en|es|a|e|i)?|автор|yazar|penulis|text|texte|texto|testo|tekst|words|byline|writer|redaktion|redakteur(?:in)?|journalist|contributor|created by|作者|著者|글)\s*[:：]\s*|(?:von|de|di|da)\s+(?!(?:de[rnms]|zu|zur|la|las|los|le|les|el)\s\S+$)(?=\p{L}\S*\s+\p{L}))/iu;
/** A capitalised `Von` introduces a byline; as part of a family name it is lowercase. */
const germanOpening = /^(?:Von|VON)\s+(?=\p{Lu})/u;

/** Where a byline continues with something else: a date, a time, a reading time, a role. */
const endings =
  /\s[|·•–—●~]|\s-\s|\s{2}|\(|\[|\d{1,2}[:.]\d{2}|(?:^|[\s,])\d{1,2}[./\s-]|(?:19|20)\d{2}|\d+\s*min|[,.]?\s(?:on|in|at|for|from|via|am|vom|le|il|el|den|um|à|em|ago|has|is|was|who|writes|covers|published|updated|posted|last updated|aktualisiert|veröffentlicht|publié|mis à jour|actualizado|publicado|view profile|view all|read more|follow|mehr|share|view bio|see all|full bio|get|learn more|fact checked|reviewed|medically|photo|photos|photography|image|images|illustration|fotos?|bild|bilder)(?=[\s:]|$)|\s(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|monday|tuesday|wednesday|thursday|friday|saturday|sunday)[a-z]*\.?\s*\d|@|https?:/i;

const nameSeparators =
  /\s*(?:[;|•·\n+]|\s\/\s|\s&\s|\s(?:and|und|et|y|e|og|och|en|i|with|mit|avec|con|и|та|és|ve|dan|och|ja|AND|UND|And)\s)\s*(?:by\s+)?/;

/** Roles, as opposed to names. */
const role =
  /\b(?:writers?|reporters?|editors?|correspondents?|journalists?|contributors?|columnists?|bloggers?|photographers?|producers?|analysts?|strategists?|specialists?|experts?|consultants?|redakteur(?:in)?|korrespondent(?:in)?|journaliste|rédact(?:eur|rice)|redactora?|ceo|cto|cfo|cmo|co-?founders?|founders?|directors?|managers?|presidents?|professors?|lecturers?|ph\.?d|m\.?d|mba|m\.?sc?|b\.?sc?|r\.?d|r\.?n|cpa|cfp|esq|jr|sr|ii|iii|lcsw|dds|dvm|dvm|mph|facp|cscs|fand|head of|chief|bureau|news|staff|team|inc|ltd|llc|gmbh|times|post|magazine|university|institute)\b\.?/i;

export const organisation =
  /\b(?:staff|team|editors?|editorial|redaktion|redakteure|redacción|redazione|rédaction|desk|press|agency|agentur|news|newsroom|media|magazine|magazin|admin(?:istrator)?|group|inc|ltd|llc|gmbh|e\.?v|company|university|institute|foundation|association|society|department|ministry|office|network|reuters|afp|dpa|associated|times|post|tribune|herald|journal|online|blog|support|service|verlag|verband|community|guest|user|webmaster|moderator|\.com|\.org|\.net|\.de)\b|\.(?:com|org|net|de|co)\b/i;

/** Words that occur in place of a name. */
const notNames =
  /^(?:by|author|authors|autor|autoren|about the author|von|unknown|anonymous|n\/?a|none|null|undefined|true|false|admin|login|log in|sign in|sign up|register|subscribe|follow|share|comments?|reply|more|read more|view all|search|home|menu|contact|published|updated|posted|date|name|email|website|profile|bio|advertisement|written|editor|save|print|print|copy link|all posts|posts|see more|learn more|sponsored|member|guest|new member|active member|registered|joined|messages|contributors?|our team|about us|about)$/i;

export function namesIn(raw: string): ReadNames {
  const text = tidy(
    raw
      .slice(0, 2 * MAX_BYLINE_LENGTH)
      .replace(/&amp;/g, "&")
      .replace(/&#0?39;|&rsquo;/g, "’"),
  );
  if (/^(?:https?:)?\/\/|^www\./i.test(text)) return { names: [], rejected: "an address" };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { names: [], rejected: "an e-mail address" };
  if (/^@\S+$/.test(text)) return { names: [], rejected: "a handle" };
  if (
    /^(?:photos?|photography|fotos?|fotografie|bild(?:er|quelle)?|images?|credits?|illustration|grafik|quelle|source)\b\s*(?:by|von|:|\/)/i.test(
      text,
    )
  )
    return { names: [], rejected: "a photo credit" };
  if (text.length < MIN_LENGTH) return { names: [], rejected: `${text.length} < ${MIN_LENGTH} characters` };
  if (text.length > MAX_BYLINE_LENGTH) return { names: [], rejected: `${text.length} > ${MAX_BYLINE_LENGTH} characters` };
  const names = split(beforeEnding(withoutOpening(text)));
  const kept = names.filter((name) => name.length <= MAX_LENGTH);
  if (kept.length > 0) return { names: [...new Set(kept)].slice(0, MAX_NAMES) };
  return { names: [], rejected: names.length > 0 ? `${names[0]!.length} > ${MAX_LENGTH} characters` : "no name" };
}

function withoutOpening(text: string): string {
  let rest = text;
  for (let round = 0; round < 4; round += 1) {
    const next = rest.replace(openings, "").replace(germanOpening, "");
    if (next === rest) break;
    rest = next;
  }
  return rest;
}

function beforeEnding(text: string): string {
  const at = text.search(endings);
  return at < 0 ? text : text.slice(0, at);
}

function split(text: string): string[] {
  const parts = text.split(nameSeparators).flatMap(splitAtCommas);
  const nameParts = parts.map((part) => trimmed(withoutOpening(part))).filter(isName);
  const people = nameParts.filter((part) => !role.test(part));
  // If no person is named, a role such as "Staff writer" is the author.
  return people.length > 0 ? people : nameParts.slice(0, 1);
}

function splitAtCommas(text: string): string[] {
  const parts = text.split(/\s*,\s*/).filter((part) => part !== "");
  const isInverted =
    parts.length === 2 && parts.every((part) => /^[\p{Lu}][\p{L}'’.-]+$/u.test(part) && !role.test(part) && !organisation.test(part));
  return isInverted ? [`${parts[1]} ${parts[0]}`] : parts;
}

const trimmed = (text: string) => text.replace(/^[\s"'“”„.:;,!*<>#»«-]+|[\s"“”„:;,!*<>#»«-]+$/g, "").replace(/(?<=\p{Ll}{2})\.$/u, "");

function isName(text: string): boolean {
  if (text.length < MIN_LENGTH || notNames.test(text) || !/\p{L}/u.test(text)) return false;
  return text.split(" ").length <= 7;
}

/** Key for comparison: lowercase letters and digits only. */
export function nameKey(name: string): string {
  const lowerCase = name.toLowerCase();
  const letters = /^[\x20-\x7e]*$/.test(lowerCase)
    ? lowerCase.replace(/[^a-z0-9 ]+/g, "")
    : limitMarks(lowerCase)
        .normalize("NFD")
        .replace(/[^\p{L}\p{N} ]+/gu, "");
  return letters.trim();
}

/** Two to five capitalised words, as most personal names are written. */
export function looksLikePerson(name: string): boolean {
  if (/\d/.test(name) || organisation.test(name)) return false;
  const words = name.split(/[\s-]+/);
  if (words.length < 2 || words.length > 5) return false;
  return words.every((word) =>
    /^(?:\p{Lu}|\p{Lo}|(?:de|da|di|del|la|le|van|von|der|den|den|ter|bin|al|el|dos|du|y|e|zu|of)$|d['’])/u.test(word),
  );
}
