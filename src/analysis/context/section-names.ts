/** The four questions that a context answers, and the words by which headings and URLs name them. */

export const sectionNames = ["features", "about", "concepts", "terminology"] as const;
export type SectionName = (typeof sectionNames)[number];

/** One regular expression for a list of words, matched against folded text, where each word follows a space. */
const words = (list: string) =>
  new RegExp(
    ` (?:${list
      .trim()
      .split(/\s*\n\s*/)
      .join("|")})`,
    "u",
  );

/**
 * Unambiguous words in English, German, French, Spanish and Italian. Most specific first: a glossary in the documentation is
 * terminology.
 */
const clearPatterns: readonly (readonly [SectionName, RegExp])[] = [
  [
    "terminology",
    words(`
      terminolog|glossar|glosario|lexi(?:kon|que|con )|vocabular|key terms|terms (?:and definitions|explained)
      (?:important|common|useful) terms|definitions? |definiciones|definizioni|jargon|acronyms|nomenclature|words we use
      (?:fach)?begriffe|begriffserklarung|worterverzeichnis|termes |terminos (?:clave|y definiciones)`),
  ],
  [
    "features",
    words(`
      features? |feature ?(?:list|set|s )|key ?features|product ?features|capabilit|functions? |functionalit|what (?:it|you) (?:can )?do
      funktionen|funktionsumfang|leistungsmerkmale|merkmale|eigenschaften|fonctionnalites|fonctions |caracteristiques
      funciones |funcionalidades|caracteristicas|funzionalita|caratteristiche`),
  ],
  [
    "about",
    words(`
      about $|about (?:us|me|the (?:project|company|product|team|makers|author))|aboutus|who we are|our (?:story|mission|team|company|history|vision)
      uber uns|ueber uns|wer wir sind|unsere geschichte|unternehmen |qui sommes nous|a propos|notre (?:histoire|mission|equipe)
      quienes somos|sobre nosotros|acerca de|nuestra (?:historia|mision)|chi siamo|la nostra storia`),
  ],
  [
    "concepts",
    words(`
      concepts? |guides? |tutorials? |how (?:it|this|everything) works|how [\\p{L}\\p{N}]{2,30} works|core ideas|getting started|quick ?starts?
      architecture |fundamentals|principles |konzepte? |anleitung|leitfaden|handbuch|so funktioniert|funktionsweise|erste schritte|grundlagen
      tutoriel|comment ca marche|premiers pas|guia |conceptos? |como funciona|primeros pasos|guida |come funziona|concetti`),
  ],
];

/** Weaker words, used if nothing else matches. */
const weakPatterns: readonly (readonly [SectionName, RegExp])[] = [
  ["terminology", words("terms |dictionary|definition|what does [\\p{L}\\p{N} ]{1,40} mean")],
  [
    "features",
    words(
      "benefits|advantages|highlights|specifications? |specs |why |vorteile|leistungen|avantages|atouts|ventajas|vantaggi|product |products ",
    ),
  ],
  [
    "about",
    words("about |company |mission |what is |what are we |introducing |the team |history |empresa |entreprise |azienda |ueber |was ist "),
  ],
  [
    "concepts",
    words(
      "docs? |documentation|dokumentation|documentacion|documentazione|overview|introduction|basics |learn |manual |handbook|einfuhrung|ubersicht",
    ),
  ],
];

const MAX_LENGTH = 300;

/** Lower case without accents, with one space between words and at both ends. */
export function normaliseWords(text: string, maxLength = MAX_LENGTH): string {
  const spaced = text.slice(0, maxLength).replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
  const lowerCase = spaced.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return ` ${lowerCase.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}

const findSection = (list: readonly (readonly [SectionName, RegExp])[], text: string) => list.find(([, words]) => words.test(text))?.[0];

/** The question named by an unambiguous word; it takes precedence over the purpose of the page. */
export const clearSectionOf = (text: string): SectionName | undefined => findSection(clearPatterns, normaliseWords(text));

/** The question named by an unambiguous or a weaker word. */
export function sectionOfWords(text: string): SectionName | undefined {
  const words = normaliseWords(text);
  return findSection(clearPatterns, words) ?? findSection(weakPatterns, words);
}

/** The URL's path as words; empty for a front page. */
export const pathWords = (url: string): string => {
  const { pathname } = new URL(url);
  return decoded(pathname.replace(/\.(?:html?|php|aspx?|jsp|md|markdown|txt|pdf)$/i, ""));
};

/** Invalid percent escapes are left unchanged. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** Words for each question as they appear in running text. */
const textPatterns: readonly (readonly [SectionName, RegExp])[] = [
  ["features", /\b(?:features?|capabilit(?:y|ies)|functions?|functionality|funktion(?:en)?|fonctionnalites?|funcion(?:es)?)\b/g],
  ["concepts", /\b(?:concepts?|guides?|tutorials?|architecture|principles?|konzepte?|conceptos?)\b/g],
  ["terminology", /\b(?:terminology|glossary|is defined as|is called an?|refers to|stands for|is short for)\b/g],
  ["about", /\b(?:about us|was (?:founded|started)|founded (?:in|by)|our mission|our company|headquartered|gegrundet|fondee?|fundada)\b/g],
];

/** Length of text that is enough to judge a section. */
const MAX_JUDGED_LENGTH = 4000;

/** The question whose words occur most often in a text, if any do. */
export function sectionOfContent(text: string): SectionName | undefined {
  const words = normaliseWords(text, MAX_JUDGED_LENGTH);
  let best: { name: SectionName; times: number } | undefined;
  for (const [name, pattern] of textPatterns) {
    const times = words.match(pattern)?.length ?? 0;
    if (times > (best?.times ?? 0)) best = { name, times };
  }
  return best?.name;
}
