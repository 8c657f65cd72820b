/** Normalises language names to BCP 47: `en_US` becomes `en-US`, `deu` becomes `de`, `Deutsch` becomes `de`. */

/** Names that people write in place of a tag. */
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

/** Tags for no language, several or an unknown one. */
const noLanguages = new Set(["und", "mul", "mis", "zxx", "root"]);

/** ISO 639-1. `Intl.DisplayNames` has them too, but costs every thread 20 ms. */
const languages = new Set(
  "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split(
    " ",
  ),
);
/** Codes of languages, or placeholders, that are written in place of a country. */
const noRegions = new Set(["EN", "XX", "AA", "ZZ"]);

/** Undefined if it is not a language. The first entry of a list is used. */
export function languageTag(raw: string): string | undefined {
  const first = raw
    .slice(0, 100)
    .split(/[,;|\s]/)
    .find((part) => part !== "")
    ?.replace(/[.@].*$/, "")
    .replaceAll("_", "-");
  if (first === undefined) return undefined;
  if (languages.has(first)) return first;
  return names.get(first.toLowerCase()) ?? canonicalTag(first) ?? canonicalTag(first.replace(/-.*$/, ""));
}

function canonicalTag(tag: string): string | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag)) return undefined;
  try {
    const { language, script, region } = new Intl.Locale(tag);
    if (language === undefined || noLanguages.has(language) || (language.length === 2 && !languages.has(language))) return undefined;
    return [language, script, region !== undefined && !noRegions.has(region) && region].filter(Boolean).join("-");
  } catch {
    return undefined; // syntactically well-formed, but not a valid tag for Intl
  }
}

export const primaryLanguage = (tag: string): string => indistinguishable.get(tag.split("-")[0]!) ?? tag.split("-")[0]!;

/** Languages that text detection cannot tell apart are mapped to one. */
const indistinguishable = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["fil", "tl"],
  ["bs", "hr"],
  ["sr", "hr"],
]);
