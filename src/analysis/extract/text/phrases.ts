/** Typical phrases of text that is on a page without being its main text. */
import { PatternSet } from "../pattern-set.ts";

const consent =
  /cookie|consent|einwillig|einverstanden|personenbezogen|tracking|gdpr|données personnelles|datos personales|dati personali/i;

const phrases = {
  affiliate:
    /affiliate|commission|paid placement|advertiser|sponsor|partnerlink|not (?:financial|medical|legal) advice|disclaimer|disclosure/i,
  legal:
    /©|\(c\) ?(?:19|20)\d\d|copyright|all rights reserved|alle rechte|tous droits|todos los derechos|terms (?:of|and)|privacy|datenschutz|impressum/i,
  ask: /subscri|newsletter|sign ?up|abonn|inscri|suscr|join (?:us|now|our)|your (?:email|inbox)|e-?mail address|download (?:the|our) app|donate|follow us|contact us/i,
  more: /read (?:more|also|next)|see (?:also|more|all)|more (?:from|on|in|stories|about)|related|recommended|you (?:may|might) (?:also )?like|most (?:read|popular)|trending|latest|lesen sie|mehr zum|auch interessant|lire aussi|à lire|lea también|leggi anche|view (?:all|more)|load more|show more|learn more/i,
  comment: /\bcomments?\b|\brepl(?:y|ies)\b|kommentar|commentaire|comentario|leave a|be the first/i,
  credit: /(?:photo|image|picture|foto|bild|crédit|credit|getty|reuters|shutterstock|afp|courtesy)\b.{0,60}$/i,
} as const;

export const phraseNames: readonly string[] = Object.keys(phrases);
const patterns = new PatternSet(Object.values<RegExp>(phrases));

/** Only the beginning of a block is searched: in a long text, such a phrase is no evidence. */
const MAX_SEARCHED_LENGTH = 240;

/** A bitmask of the kinds of phrases found. */
export function phrasesIn(text: string): number {
  return patterns.matching(text.slice(0, MAX_SEARCHED_LENGTH));
}

export const asksConsent = (text: string): boolean => consent.test(text.slice(0, MAX_SEARCHED_LENGTH));
