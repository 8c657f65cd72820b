/** Normalises the spelling of topics, and rejects what is not a topic. */
import { tidy } from "../../parse/index.ts";

/** Words that are not topics: function words, and labels that sites write beside their tags. */
const stopWords = new Set(
  (
    "the a an and or but of in on at to for with by from as is are was were be this that these those it its you your we our they not no yes all any more most other some such only own same so than too very can will just " +
    "und oder der die das ein eine mit von für auf im am zu les des une dans pour avec los las una para con por che del della per " +
    "home homepage start startseite accueil inicio início page index main site website online tag tags topic topics category categories kategorie kategorien uncategorized unkategorisiert sin-categoría non-classé " +
    "read more mehr weiter lesen share teilen print drucken comment comments kommentar kommentare login logout register menu search suche contact kontakt about impressum privacy datenschutzerklärung cookies undefined null none"
  ).split(" "),
);

export interface TopicRules {
  readonly minLength: number;
  readonly maxLength: number;
  /** Characters removed from a name. */
  readonly removedCharacters: RegExp;
}

/** The rules of `--cascade classic`. */
export const classicRules: TopicRules = { minLength: 3, maxLength: 30, removedCharacters: /[^\p{L}\p{M}\p{N}\s-]+/gu };
/** The classic rules lose or damage names such as `EU`, `U.S. politics`, `R&B`, `C++`, `Office for Budget Responsibility`. */
export const weighedRules: TopicRules = { minLength: 2, maxLength: 50, removedCharacters: /[^\p{L}\p{M}\p{N}\s&'./+#():-]+/gu };

/** The topic, or the reason to reject it. */
export function normaliseTopic(raw: string, rules: TopicRules): { readonly name: string } | { readonly rejected: string } {
  const plain = raw
    .slice(0, 300)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’´`]/g, "'");
  const name = tidy(plain.replace(/^\s*#/, "").replace(rules.removedCharacters, "")).replace(/^[\s.:/'-]+|[\s:/'-]+$/g, "");
  const length = [...name].length;
  if (length < rules.minLength) return { rejected: `${length} < ${rules.minLength} characters` };
  if (length > rules.maxLength) return { rejected: `${length} > ${rules.maxLength} characters` };
  if (!/\p{L}/u.test(name)) return { rejected: "a number" };
  if (stopWords.has(name)) return { rejected: "a stop word" };
  if (/[€$£]/.test(raw)) return { rejected: "a price" };
  return { name };
}

/** The same key for `Climate-Change`, `climate change` and `climate changes`. */
export function topicKey(name: string): string {
  const spaced = name.replace(/[-_\s]+/g, " ");
  if (/ies$/.test(spaced) && spaced.length > 5) return `${spaced.slice(0, -3)}y`;
  return /[^s]s$/.test(spaced) && spaced.length > 4 ? spaced.slice(0, -1) : spaced;
}

const umlauts = new Map([
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
  ["ß", "ss"],
]);

/** The name as sites write it in URLs. */
export function slug(name: string): string {
  const lowerCase = name.toLowerCase();
  if (asciiOnly.test(lowerCase)) return lowerCase.replace(/[^a-z0-9]+/g, "-");
  return lowerCase
    .replace(/[äöüß]/g, (letter) => umlauts.get(letter)!)
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-");
}

const asciiOnly = /^[\x20-\x7e]*$/;

/** Whether both have the same slug. Comparing the first letters rules out most pairs cheaply. */
export function isSameSlug(a: string, b: string): boolean {
  const [first, other] = [a[0] ?? "", b[0] ?? ""];
  const isComparable = /^[a-z0-9]{2}$/i.test(first + other);
  return (!isComparable || first.toLowerCase() === other.toLowerCase()) && slug(a) === slug(b);
}
