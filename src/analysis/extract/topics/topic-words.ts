import { sharedCodeUnitsOf } from "../language/letter-codes.ts";
import { PrefixFilter } from "../prefix-filter.ts";

/** Nineteen topics with their keywords. */
const keywords: Readonly<Record<string, string>> = {
  technology: "software, hardware, computer, digital, internet, programming, code, developer",
  science: "research, study, scientist, laboratory, experiment, discovery, scientific",
  business: "company, startup, entrepreneur, market, industry, enterprise, corporate",
  health: "health, medical, doctor, patient, disease, treatment, medicine, wellness",
  education: "education, school, university, learning, student, teacher, course, academic",
  entertainment: "movie, film, music, game, show, series, artist",
  sports: "sport, team, player, game, match, league, championship, athlete",
  finance: "finance, money, investment, stock, trading, market, economy, financial",
  politics: "government, political, election, policy, democracy, vote, parliament",
  design: "design, ui, ux, interface, visual, graphic, creative, branding",
  ai: "artificial intelligence, machine learning, neural network, deep learning, chatbot",
  crypto: "crypto, cryptocurrency, bitcoin, blockchain, ethereum, wallet, mining",
  gaming: "gaming, gamer, console, gameplay, rpg, fps, multiplayer",
  food: "recipe, cooking, ingredient, restaurant, chef, cuisine, kitchen, baking",
  travel: "travel, hotel, flight, tourism, tourist, destination, itinerary, sightseeing",
  fashion: "fashion, clothing, outfit, designer, runway, apparel, couture, accessories",
  environment: "climate, environment, environmental, emissions, pollution, biodiversity, renewable, conservation",
  photography: "photography, photographer, camera, lens, aperture, exposure, shutter, portrait",
  music: "music, song, album, band, concert, singer, guitar, lyrics",
};

/** The number of different keywords required for a topic. */
const MIN_KEYWORDS = 2;
/** Only the beginning is searched: it names the subject. */
const SAMPLE_LENGTH = 6000;

const topicsOfWord = new Map<string, string[]>();
/** The first words of keywords of two words. */
const firstWords = new Set<string>();
for (const [topic, words] of Object.entries(keywords)) {
  for (const word of words.split(", ")) {
    const known = topicsOfWord.get(word);
    if (known) known.push(topic);
    else topicsOfWord.set(word, [topic]);
    if (word.includes(" ")) firstWords.add(word.split(" ")[0]!);
  }
}
/** With plurals. */
const prefixFilter = new PrefixFilter(
  [...topicsOfWord.keys(), ...firstWords].flatMap((word) => [word, `${word}s`, word.replace(/y$/, "ies")]),
);

export interface FoundTopic {
  readonly name: string;
  /** The keywords found in the text. */
  readonly keywords: readonly string[];
}

/** Topics by number of keywords found, most first. Matches whole words, also in the plural, and pairs of words. */
export function analyseTopics(text: string): FoundTopic[] {
  const found = new Map<string, Set<string>>();
  const addWord = (word: string) => {
    for (const topic of topicsOfWord.get(word) ?? noTopics) {
      const words = found.get(topic);
      if (words) words.add(word);
      else found.set(topic, new Set([word]));
    }
  };
  const sample = text.slice(0, SAMPLE_LENGTH).toLowerCase();
  const codes = sharedCodeUnitsOf(sample);
  let previousWord = "";
  for (let at = 0; at < sample.length; at += 1) {
    if (!isLetter(codes[at]!)) continue;
    const start = at;
    while (at < sample.length && isLetter(codes[at]!)) at += 1;
    const isPair = previousWord !== "" && firstWords.has(previousWord);
    if (!isPair && !prefixFilter.mayContain(codes, start, at)) {
      previousWord = "";
      continue;
    }
    const raw = sample.slice(start, at);
    const word = topicsOfWord.has(raw) || !raw.endsWith("s") ? raw : singular(raw);
    addWord(word);
    if (isPair) addWord(`${previousWord} ${word}`);
    previousWord = raw;
  }
  return [...found]
    .filter(([, words]) => words.size >= MIN_KEYWORDS)
    .sort((a, b) => b[1].size - a[1].size)
    .map(([name, words]) => ({ name, keywords: [...words] }));
}

const noTopics: readonly string[] = [];

const isLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0xc0 && code <= 0x24f);

const singular = (word: string) => (word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1));
