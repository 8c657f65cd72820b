/** The parents of topics. Each line is a parent with its children; ancestors are found by following the lines. */
const children: Readonly<Record<string, string>> = {
  technology:
    "software, hardware, programming, coding, web development, internet, mobile, smartphones, cybersecurity, security, privacy, open source, linux, windows, macos, cloud, databases, devops, ai, robotics, gadgets, electronics, semiconductors, telecommunications, data science, apple, google, microsoft, virtual reality, 3d printing, crypto",
  programming: "javascript, python, java, rust, go, golang, ruby, php, c++, c#, swift, kotlin, scala, haskell, algorithms, testing, git",
  "web development": "frontend, backend, html, css, accessibility, wordpress, seo, web design, apis, graphql",
  javascript: "react, vue, vue.js, angular, svelte, node.js, nodejs, typescript, deno, next.js, jquery, webpack, npm",
  python: "django, flask, pandas, numpy, jupyter, fastapi",
  php: "laravel, symfony, drupal",
  ruby: "rails, ruby on rails",
  cloud: "aws, azure, kubernetes, docker, serverless",
  databases: "sql, postgresql, mysql, sqlite, mongodb, redis",
  mobile: "android, ios, iphone, ipad",
  ai: "machine learning, artificial intelligence, deep learning, neural networks, chatgpt, openai, llm, computer vision, natural language processing",
  crypto: "bitcoin, ethereum, blockchain, cryptocurrency, nft, defi, web3",
  science:
    "physics, chemistry, biology, astronomy, space, mathematics, medicine, psychology, geology, archaeology, genetics, neuroscience, climate science, history, sociology, economics",
  space: "nasa, esa, spacex, mars, moon, satellites, telescopes",
  health:
    "nutrition, fitness, mental health, diseases, coronavirus, covid-19, cancer, diabetes, vaccines, hospitals, pregnancy, sleep, yoga, meditation, wellness, public health",
  business:
    "startups, entrepreneurship, marketing, management, leadership, companies, e-commerce, retail, real estate, manufacturing, jobs, careers, human resources, trade",
  marketing: "advertising, content marketing, social media, email marketing, branding",
  finance: "investing, stocks, banking, banks, insurance, taxes, pensions, loans, personal finance, inflation, interest rates, markets",
  politics:
    "elections, government, parliament, democracy, law, courts, human rights, immigration, migration, foreign policy, diplomacy, war, military, defence, nato, european union, united nations, brexit, donald trump, joe biden",
  environment:
    "climate change, climate, sustainability, energy, renewable energy, wildlife, pollution, biodiversity, recycling, conservation, water, forests",
  energy: "solar, wind power, nuclear power, oil, natural gas, electricity, batteries",
  sports:
    "football, soccer, basketball, tennis, baseball, cricket, rugby, hockey, ice hockey, golf, cycling, swimming, boxing, athletics, running, olympics, formula 1, motorsport, handball, skiing, esports",
  football: "bundesliga, premier league, champions league, world cup, la liga, serie a, fifa, uefa",
  basketball: "nba",
  entertainment: "movies, film, television, tv, music, celebrities, theatre, comedy, streaming, podcasts, anime, comics, books",
  television: "netflix, hbo, disney+, reality tv",
  music: "rock, pop, jazz, hip hop, classical music, opera, concerts, albums, metal, electronic music",
  gaming: "video games, playstation, xbox, nintendo, minecraft, fortnite, pc gaming, steam, board games",
  education: "schools, universities, higher education, e-learning, teaching, students, scholarships, languages",
  food: "recipes, cooking, baking, restaurants, wine, beer, coffee, vegan, vegetarian, desserts, breakfast",
  travel: "hotels, flights, airlines, tourism, beaches, hiking, camping, cruises, backpacking",
  fashion: "beauty, style, shoes, makeup, skincare, jewellery, clothing",
  design: "ux, ui, typography, graphic design, interior design, architecture, illustration, logo",
  photography: "cameras, portrait photography, landscape photography, photoshop, lightroom",
};

const parents = new Map<string, string>();
for (const [parent, names] of Object.entries(children))
  for (const name of names.split(", ")) if (!parents.has(name)) parents.set(name, parent);

/** From near to far. The table has no cycles: a test walks all of it. */
export function parentsOf(topic: string): string[] {
  const found: string[] = [];
  for (let at = parents.get(topic); at !== undefined && !found.includes(at); at = parents.get(at)) found.push(at);
  return found;
}
