/** The name of a language as BCP 47 has it: `en_US` is `en-US`, `deu` is `de`, `Deutsch` is `de`. */

/** What people write where a tag belongs. */
const names = new Map(
  Object.entries({
    en: "english",
    de: "german deutsch",
    fr: "french français francais",
    es: "spanish español espanol castellano",
    it: "italian italiano",
    pt: "portuguese português portugues",
    nl: "dutch nederlands",
    sv: "swedish svenska",
    da: "danish dansk",
    no: "norwegian norsk",
    fi: "finnish suomi",
    pl: "polish polski",
    cs: "czech čeština",
    ru: "russian русский",
    uk: "ukrainian українська",
    tr: "turkish türkçe",
    ja: "japanese 日本語",
    zh: "chinese 中文",
    ko: "korean 한국어",
    ar: "arabic العربية",
    hi: "hindi हिन्दी",
    el: "greek ελληνικά",
    hu: "hungarian magyar",
    ro: "romanian română",
    he: "hebrew עברית",
    vi: "vietnamese",
    id: "indonesian",
    th: "thai ไทย",
  }).flatMap(([tag, words]) => words.split(" ").map((word) => [word, tag] as const)),
);

/** No language, several, or one nobody has named. */
const empty = new Set(["und", "mul", "mis", "zxx", "root"]);

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
const regions = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/** Undefined for what is no language. Of a list the first counts. */
export function languageTag(raw: string): string | undefined {
  const first = raw
    .slice(0, 100)
    .split(/[,;|\s]/)
    .find((part) => part !== "")
    ?.replace(/[.@].*$/, "")
    .replaceAll("_", "-");
  if (first === undefined) return undefined;
  return names.get(first.toLowerCase()) ?? canonical(first) ?? canonical(first.replace(/-.*$/, ""));
}

function canonical(tag: string): string | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag)) return undefined;
  try {
    const { language, script, region } = new Intl.Locale(tag);
    if (language === undefined || empty.has(language) || languages.of(language) === undefined) return undefined;
    return [language, script, region !== undefined && regions.of(region) !== undefined && region].filter(Boolean).join("-");
  } catch {
    return undefined; // well-formed is not yet valid: Intl refuses what it cannot be
  }
}

export const primary = (tag: string): string => sames.get(tag.split("-")[0]!) ?? tag.split("-")[0]!;

/** One language under two names, as far as telling them apart in a text goes. */
const sames = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["fil", "tl"],
  ["bs", "hr"],
  ["sr", "hr"],
]);
