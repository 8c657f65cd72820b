/** S2's content analysis: nineteen topics, each found by the words of its trade. The first thirteen lists are S2's own, the other six ours. */
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

/** S2: two different keywords make a topic. */
const ENOUGH = 2;
const SAMPLE = 20_000;

const topicsOfWord = new Map<string, string[]>();
for (const [topic, words] of Object.entries(keywords)) {
  for (const word of words.split(", ")) {
    const known = topicsOfWord.get(word);
    if (known) known.push(topic);
    else topicsOfWord.set(word, [topic]);
  }
}

export interface FoundTopic {
  readonly name: string;
  /** Which of its keywords the text has. */
  readonly keywords: readonly string[];
}

/** Those with the most keywords first. Whole words, also in the plural; some are two words. */
export function analyseTopics(text: string): FoundTopic[] {
  const found = new Map<string, Set<string>>();
  let before = "";
  for (const word of text
    .slice(0, SAMPLE)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    for (const one of [word, singular(word), `${before} ${word}`, `${before} ${singular(word)}`]) {
      for (const topic of topicsOfWord.get(one) ?? []) {
        const words = found.get(topic) ?? new Set();
        found.set(topic, words.add(one));
      }
    }
    before = word;
  }
  return [...found]
    .filter(([, words]) => words.size >= ENOUGH)
    .sort((a, b) => b[1].size - a[1].size)
    .map(([name, words]) => ({ name, keywords: [...words] }));
}

const singular = (word: string) => (word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.endsWith("s") ? word.slice(0, -1) : word);
