/** Lines that by their form alone are filled in by a program, wherever they stand on a page. */

const MAX_IN_LINE = 100;

const SKY =
  "(?:(?:mostly|partly|light|heavy|scattered|leicht|stark|teils|meist)\\p{L}* )?(?:sunny|sunshine|cloud[sy]|cloudy|clear(?: sky| skies)?|overcast|rain(?:y|fall)?|drizzle|fog(?:gy)?|mist|haze|snow(?:y| showers)?|showers|sleet|hail|thunderstorms?|wind[sy]|sonnig|heiter|wolkig|bewölkt|bedeckt|regen|nebel|schnee|gewitter|ensoleillé|nuageux|couvert|pluie|brouillard|neige|soleado|nublado|lluvia|niebla|nieve)";
const PLACE = "(?:(?:(?:good|guten|buen[ao]s) \\p{L}+|bonjour|bonsoir|hello|welcome|hi)\\b[^\\d°]{0,30}?)?(?:[\\p{L}.'’-]+[ ,:!]+){0,3}";
const DEGREES = "-?\\d{1,2}(?:[.,]\\d)?\\s?°\\s?[CF]?";
/** A place, a temperature and the weather, and nothing else. */
const WEATHER = new RegExp(
  `^${PLACE}(?:${DEGREES}[ ,·|–-]*${SKY}|${SKY}[ ,·|–-]*${DEGREES})(?:[ ,·|–-]+(?:wind|humidity|h:|l:|high|low)?[: ]*${DEGREES})*[.!]?$`,
  "iu",
);

export const isWeatherLine = (text: string): boolean => text.length <= MAX_IN_LINE && WEATHER.test(text);

/** Reactions: a sign and a number, and no words after them. Stars are the rating that a review gives. */
const REACTIONS = /((?:❤|♥|♡|👍|👎|👏|👁|👀|🔥|💬|🗨|🔁)\uFE0F?\s?)\d[\d.,]*[km]?(?=\s*(?:$|[|·•/]|\p{Extended_Pictographic}|\d))/giu;
const FOLLOWERS = /(?<![\p{L}\d.,])\d[\d.,]*[km]?(?=\s(?:followers?|subscribers?|abonnent(?:en|innen)|abonnés|seguidores)(?!\p{L}))/giu;
/** A line about all of a forum: at least two of its counts. */
const FORUM_COUNT = /(?:total )?(?:posts|topics|threads|messages|members|beiträge|themen|mitglieder)[: ]+\d[\d.,]*/giu;
const NEWEST_MEMBER = /((?:our )?(?:newest|latest) (?:registered )?member:? |(?:unser )?neuestes mitglied:? )\S+/giu;
/** Who reads a forum right now. */
const BROWSING = /^((?:users|members|people) (?:browsing|viewing|reading) this (?:forum|topic|thread|page)[: ]).*$/iu;
const IS_ONLINE = /(?:\d[\d.,]*|\{count\})\s+(?:users?|people|members?|guests?|visitors?)\s+(?:are\s+)?online\b/iu;
const ONLINE_COUNT = /\d[\d.,]*(?=\s+(?:users?|people|registered|hidden|invisible|guests?|members?|visitors?|bots?)(?!\p{L}))/giu;
/** The time left to order something, to the minute. "Within 24 hours" is a rule of a shop. */
const ORDER_WITHIN =
  /((?:order|ordered|buy|book|bestellen sie|bestellung|commandez)[^.\d]{0,20} (?:in the next|within|innerhalb(?: von)?|dans les) )\d+ ?(?:h|hrs?|hours?|std\.?|stunden|heures)(?:,| and| und| et)? \d+ ?(?:m|mins?|minutes?|minuten)(?!\p{L})/giu;
/** A note about when the documentation was built; the commit it was built from belongs to it. */
const IS_BUILD = /\b(?:last (?:re)?built|site built|docs built|built (?:with|by|using)|generated (?:by|with|using))\b/iu;
const COMMIT = /\b(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{7,40}\b/giu;

/** True for a link to a person whom a program named in this line, as its steady form shows. */
export const isNamedByProgram = (text: string, steady: string | undefined): boolean =>
  steady?.includes("{name}") === true && !steady.includes(text);

/** The line without counts and times that only a program writes in this form. */
export function withoutFilledIn(text: string): string {
  if (text.length > 3 * MAX_IN_LINE) return text;
  let steady = text.replace(REACTIONS, "$1{count}").replace(ORDER_WITHIN, "$1{time}");
  if (text.length <= MAX_IN_LINE) steady = steady.replace(FOLLOWERS, "{count}");
  if ((text.match(FORUM_COUNT)?.length ?? 0) >= 2)
    steady = steady.replace(FORUM_COUNT, (found) => found.replace(/\d[\d.,]*$/, "{count}")).replace(NEWEST_MEMBER, "$1{name}");
  steady = IS_ONLINE.test(text) ? steady.replace(ONLINE_COUNT, "{count}") : steady.replace(BROWSING, "$1{name}");
  return IS_BUILD.test(text) ? steady.replace(COMMIT, "{build}") : steady;
}
