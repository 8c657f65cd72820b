/** What the pages of a product site say: headings, paragraphs, lists, tables and terms, before anybody has laid them out. */
import { draw } from "../drawing.ts";
import { claim, filler, newWords, type PlantedFact, type Question } from "./facts.ts";

export type Kind = "docs" | "shop" | "saas";

export type Part =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "terms" | "table" | "cards"; readonly rows: readonly (readonly [name: string, text: string])[] };

export interface Chapter {
  readonly heading: string;
  readonly parts: readonly Part[];
}

export interface PlannedPage {
  readonly path: string;
  readonly title: string;
  /** The words of the links that lead here. */
  readonly anchor: string;
  readonly lead: string;
  readonly chapters: readonly Chapter[];
}

export interface Plan {
  readonly product: string;
  readonly root: PlannedPage;
  /** The pages that explain the product. */
  readonly explaining: readonly PlannedPage[];
  readonly facts: readonly PlantedFact[];
}

type Named = readonly (readonly [path: string, anchor: string])[];

const ways: Readonly<Record<Kind, Readonly<Record<Question | "guide", Named>>>> = {
  docs: {
    features: [
      ["/features/", "Features"],
      ["/docs/capabilities", "Capabilities"],
      ["/functions.html", "All functions"],
    ],
    about: [
      ["/about/", "About"],
      ["/project/about", "About the project"],
    ],
    concepts: [
      ["/docs/concepts", "Core concepts"],
      ["/docs/architecture", "Architecture"],
    ],
    guide: [
      ["/docs/getting-started", "Getting started"],
      ["/tutorial/", "Tutorial"],
    ],
    terminology: [
      ["/docs/glossary", "Glossary"],
      ["/terminology.html", "Terminology"],
    ],
  },
  shop: {
    features: [
      ["/pages/features", "Features"],
      ["/product-features.html", "What it can do"],
    ],
    about: [
      ["/pages/about-us", "About us"],
      ["/our-story", "Our story"],
    ],
    concepts: [
      ["/pages/how-it-works", "How it works"],
      ["/technology/concept", "The concept"],
    ],
    guide: [
      ["/guides/buying-guide", "Buying guide"],
      ["/guide/first-weeks", "Guide to the first weeks"],
    ],
    terminology: [
      ["/pages/glossary", "Glossary"],
      ["/glossary-of-terms", "Words we use"],
    ],
  },
  saas: {
    features: [
      ["/features", "Features"],
      ["/product/features", "See all features"],
      ["/platform/capabilities", "Platform"],
    ],
    about: [
      ["/about", "About us"],
      ["/company/about", "Company"],
    ],
    concepts: [
      ["/how-it-works", "How it works"],
      ["/docs/concepts", "Concepts"],
    ],
    guide: [
      ["/docs/", "Documentation"],
      ["/guides/quickstart", "Quickstart guide"],
    ],
    terminology: [
      ["/glossary", "Glossary"],
      ["/resources/terminology", "Key terms"],
    ],
  },
};

const names = ["Kestrel", "Fernway", "Lumora", "Oarlock", "Tarnhill", "Brightquay"];
const promises = ["calmer work for small harbours", "the quiet way to keep order", "all sheets in one place"];
/** Headings that say nothing of what is under them. */
const plainHeadings = ["Quiet hands", "Where it stands", "Long days", "Round the clock", "In every weather", "Side by side"];
const ownHeadings: Readonly<Record<Question, readonly string[]>> = {
  features: ["Features", "What it does", "Key features", "Capabilities"],
  about: ["About %", "Who we are", "What is %?"],
  concepts: ["How it works", "Core concepts", "The concepts behind %"],
  terminology: ["Key terms", "Terminology", "Glossary"],
};

/** Writes the parts of pages and remembers which facts it has put there. */
class Planter {
  readonly facts: PlantedFact[] = [];
  readonly product: string;
  readonly pick: ReturnType<typeof draw>;
  readonly #word: () => string;

  constructor(kind: Kind, seed: number) {
    this.pick = draw(seed, kind.length, kind.charCodeAt(0));
    this.#word = newWords(seed * 7 + kind.charCodeAt(1));
    this.product = this.pick(names);
  }

  fact(question: Question, page: string): string {
    const text = claim(question, this.product, this.#word(), this.pick);
    this.facts.push({ text, question, page });
    return text;
  }

  /** A paragraph with a fact in it, at the beginning or further on. */
  text(question: Question, page: string): Part {
    const sentences = [0, 1, 2, 3, 4].map(() => filler(this.pick));
    sentences.splice(this.pick(5), 0, this.fact(question, page));
    return { kind: "text", text: sentences.join(" ") };
  }

  cards(question: Question, page: string): Part {
    return { kind: "cards", rows: [0, 1, 2].map(() => [this.pick(plainHeadings), this.fact(question, page)] as const) };
  }

  list(question: Question, page: string): Part {
    return { kind: "list", items: [this.fact(question, page), filler(this.pick), this.fact(question, page)] };
  }

  terms(page: string, kind: "terms" | "table" = this.pick(["terms", "table"] as const)): Part {
    const term = () => `${this.pick(["Quay", "Sluice", "Ledger", "Pawl"])} ${this.#word()}`;
    return { kind, rows: [0, 1, 2].map(() => [term(), this.fact("terminology", page)] as const) };
  }

  chapter(heading: string, ...parts: Part[]): Chapter {
    return { heading: heading.replaceAll("%", this.product), parts };
  }

  /** A chapter whose heading says which question it answers. */
  named(question: Question, part: Part): Chapter {
    return this.chapter(this.pick(ownHeadings[question]), part);
  }
}

/** Draws a product and what its pages say of it; every page has facts of its own, and the root has some of most questions. */
export function planOf(kind: Kind, seed: number): Plan {
  const planter = new Planter(kind, seed);
  const root = rootOf(planter);
  return { product: planter.product, root, explaining: explainingOf(planter, kind), facts: planter.facts };
}

function rootOf(planter: Planter): PlannedPage {
  const { product, pick } = planter;
  return {
    path: "/",
    title: `${product}: ${pick(promises)}`,
    anchor: "Home",
    lead: planter.fact("about", "/"),
    chapters: [
      planter.named("features", pick(2) === 0 ? planter.list("features", "/") : planter.cards("features", "/")),
      planter.named("concepts", planter.text("concepts", "/")),
      pick(2) === 0 ? planter.named("about", planter.text("about", "/")) : planter.named("terminology", planter.terms("/", "terms")),
    ],
  };
}

function explainingOf(planter: Planter, kind: Kind): PlannedPage[] {
  const { pick, product } = planter;
  const page = (question: Question, way: Question | "guide", chaptersOf: (path: string) => Chapter[]): PlannedPage => {
    const [path, anchor] = pick(ways[kind][way]);
    const title = pick(2) === 0 ? anchor : `${anchor} of ${product}`;
    return { path, anchor, title, lead: planter.fact(question, path), chapters: chaptersOf(path) };
  };
  const code: Part = { kind: "code", text: `${product.toLowerCase()} plan --dry\n# 3 parcels` };
  return [
    page("features", "features", (path) => [
      planter.chapter(pick(plainHeadings), planter.text("features", path)),
      planter.chapter("What is in the box", planter.list("features", path)),
      planter.chapter("For whom", planter.cards("features", path)),
      planter.named("terminology", planter.terms(path)),
    ]),
    page("about", "about", (path) => [
      planter.chapter("How it began", planter.text("about", path)),
      planter.chapter("Where we are now", planter.text("about", path), planter.text("about", path)),
    ]),
    page("concepts", "concepts", (path) => [
      planter.chapter("Parcels and plans", planter.text("concepts", path), code),
      planter.chapter("Rules of the house", planter.text("concepts", path), planter.list("concepts", path)),
    ]),
    page("concepts", "guide", (path) => [
      planter.chapter("Before you begin", planter.text("concepts", path)),
      planter.chapter("The first parcel", planter.text("concepts", path), planter.text("concepts", path)),
    ]),
    page("terminology", "terminology", (path) => [planter.chapter(pick(["A to K", "In use every day"]), planter.terms(path))]),
  ];
}
