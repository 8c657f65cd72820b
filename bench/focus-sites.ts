import { openScorer } from "../src/analysis/score/index.ts";
import { relevanceOf } from "../src/engine/crawl/index.ts";
import { seededRandom } from "../src/engine/frontier/index.ts";
import { keywordsInUrl, type RecordedWeb } from "../src/features/focus/replay.ts";

/** Vocabulary of the generated sites. The first word of a topic is the keyword; pages about the topic need not contain it. */
const topics: Readonly<Record<string, readonly string[]>> = {
  budget: ["budget", "expenditure", "revenue", "fiscal", "spending", "appropriation", "deficit", "levy", "treasurer", "audit"],
  housing: ["housing", "tenants", "rent", "apartments", "eviction", "landlord", "dwelling", "mortgage", "homeless", "shelter"],
  transport: ["transport", "buses", "tram", "railway", "timetable", "cycling", "parking", "traffic", "commuters", "station"],
  water: ["water", "sewer", "drought", "reservoir", "pipes", "drainage", "hydrant", "wells", "flood", "meter"],
  school: ["school", "pupils", "teachers", "classroom", "curriculum", "kindergarten", "exam", "homework", "tuition", "campus"],
  health: ["health", "clinic", "vaccination", "nurses", "hospital", "disease", "patients", "pharmacy", "hygiene", "therapy"],
  parks: ["parks", "playground", "trees", "garden", "trail", "picnic", "meadow", "lawn", "wildlife", "benches"],
  police: ["police", "patrol", "burglary", "officers", "crime", "warrant", "theft", "arrest", "precinct", "detective"],
  library: ["library", "books", "novel", "reading", "archive", "authors", "lending", "catalogue", "manuscript", "poetry"],
  elections: ["elections", "ballot", "voters", "candidates", "polling", "campaign", "turnout", "referendum", "mayor", "precincts"],
  energy: ["energy", "electricity", "solar", "turbines", "grid", "heating", "insulation", "gas", "boiler", "outage"],
  waste: ["waste", "recycling", "bins", "landfill", "compost", "collection", "litter", "glass", "hazardous", "truck"],
};

const fillers =
  "town people year plan report office notice public service street council new open day work time local page information meeting area week number place project group form contact list update city hall residents event programme guide".split(
    " ",
  );

const silentAnchors = ["Read more", "Details", "More", "Continue", "View", "Open", "Here", "Show item"];

export interface MadeLink {
  readonly url: string;
  readonly text: string;
  readonly heading?: string;
  readonly context?: string;
}

export interface MadePage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly isTarget: boolean;
  readonly links: MadeLink[];
}

export interface MadeSite {
  readonly keyword: string;
  readonly seed: string;
  readonly pages: Map<string, MadePage>;
}

const names = Object.keys(topics);

/** Generates a site from one random seed; all choices use the same generator. */
class Maker {
  readonly random: () => number;
  readonly topic: string;
  readonly others: readonly string[];
  readonly pages = new Map<string, MadePage>();
  readonly home: MadePage;

  constructor(seed: number) {
    this.random = seededRandom(seed * 7919);
    this.topic = names[Math.floor(this.random() * names.length)]!;
    this.others = names.filter((name) => name !== this.topic);
    this.home = this.page("/", "Town portal", "", 0);
  }

  whole(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  other(): string {
    return this.pick(this.others);
  }

  words(topic: string, count: number, share: number): string {
    return Array.from({ length: count }, () => this.pick(this.chance(share) ? (topics[topic] ?? fillers) : fillers)).join(" ");
  }

  /** `told` is the share of pages whose title contains the topic or another of its first words. */
  title(topic: string, told: number): string {
    return this.chance(told) ? `${this.words("", 2, 0)} ${this.pick(topics[topic]!.slice(0, 4))}` : this.words("", 3, 0);
  }

  page(path: string, title: string, topic: string, blocks = 6, isTarget = false): MadePage {
    const text = Array.from({ length: blocks }, () => {
      const passing = !isTarget && this.chance(0.015) ? ` ${this.topic}` : "";
      return this.words(topic, 25, topic === "" ? 0 : 0.16) + passing;
    });
    const page: MadePage = { url: `http://town.test${path}`, title, text: text.join("\n"), isTarget, links: [] };
    this.pages.set(page.url, page);
    return page;
  }

  link(from: MadePage, to: MadePage | string, text: string, heading = "", context = text): void {
    from.links.push({ url: typeof to === "string" ? `http://town.test${to}` : to.url, text, heading, context });
  }

  /** Adds the same navigation to every page. */
  navigate(sections: readonly (readonly [MadePage, string])[]): MadeSite {
    for (const page of this.pages.values()) {
      this.link(page, this.home, "Home");
      for (const [section, name] of sections) this.link(page, section, name, "Menu", "");
    }
    return { keyword: this.topic, seed: this.home.url, pages: this.pages };
  }

  /** A list split over several pages. */
  list(path: string, title: string, items: readonly (readonly [MadePage, string])[], perPage: number): MadePage {
    const count = Math.max(1, Math.ceil(items.length / perPage));
    const at = (page: number) => (page === 1 ? path : `${path}?page=${page}`);
    const pages = Array.from({ length: count }, (_, index) => this.page(at(index + 1), title, "", 1));
    for (const [index, page] of pages.entries()) {
      for (const [item, anchor] of items.slice(index * perPage, (index + 1) * perPage)) this.link(page, item, anchor, title);
      if (pages[index + 1]) this.link(page, pages[index + 1]!, "Next");
      for (let step = 2; step <= 3; step++) if (pages[index + step]) this.link(page, pages[index + step]!, String(index + step + 1));
      if (index > 0) this.link(page, pages[index - 1]!, "Previous");
    }
    return pages[0]!;
  }
}

/** Sections by topic with lists of articles. Most titles reveal the topic; URLs either reveal it too or are numbers. */
function sections(maker: Maker, hasNumbers: boolean): MadeSite {
  const menu: [MadePage, string][] = [];
  for (const name of maker.pick([names.slice(0, 9), names.slice(3)])) {
    if (name !== maker.topic) menu.push([section(maker, name, hasNumbers), name]);
  }
  menu.splice(maker.whole(0, menu.length), 0, [section(maker, maker.topic, hasNumbers), maker.topic]);
  return maker.navigate(menu);
}

function section(maker: Maker, topic: string, hasNumbers: boolean): MadePage {
  const number = maker.pages.size;
  const folder = hasNumbers ? `/s/${number}` : `/${topic}`;
  const items = Array.from({ length: maker.whole(40, 120) }, (_, index): [MadePage, string] => {
    const about = maker.chance(0.85) ? topic : maker.other();
    const title = maker.title(about, 0.6);
    const path = hasNumbers ? `/s/${number}/${index}` : `${folder}/${index}-${title.replaceAll(" ", "-")}`;
    return [maker.page(path, title, about, 6, about === maker.topic), title];
  });
  return maker.list(folder, topic, items, 15);
}

/** Anchors and URLs reveal nothing, and hubs are numbered; the targets are concentrated in a few hubs. */
function silent(maker: Maker): MadeSite {
  const rich = new Set(Array.from({ length: 4 }, () => maker.whole(1, 40)));
  const hubs = Array.from({ length: 40 }, (_, hub): [MadePage, string] => {
    const items = Array.from({ length: maker.whole(15, 40) }, (): [MadePage, string] => {
      const about = rich.has(hub + 1) && maker.chance(0.8) ? maker.topic : maker.other();
      return [maker.page(`/item/${maker.pages.size}`, maker.title(about, 0.7), about, 6, about === maker.topic), maker.pick(silentAnchors)];
    });
    return [maker.list(`/c/${hub + 1}`, `Collection ${hub + 1}`, items, 20), `Collection ${hub + 1}`];
  });
  for (const [hub, name] of hubs) maker.link(maker.home, hub, name);
  return maker.navigate([]);
}

/** Long lists; one of them contains the targets, and only the pages themselves reveal it. */
function deepLists(maker: Maker): MadeSite {
  const lists = ["notices", "records", "files", "papers", "entries", "posts"];
  const rich = maker.whole(0, lists.length - 1);
  const menu = lists.map((name, place): [MadePage, string] => {
    const items = Array.from({ length: maker.whole(150, 250) }, (_, index): [MadePage, string] => {
      const about = place === rich && maker.chance(0.7) ? maker.topic : maker.other();
      const title = maker.title(about, 0.3);
      return [maker.page(`/${name}/${2000 + (index % 20)}/${index}`, title, about, 6, about === maker.topic), title];
    });
    return [maker.list(`/${name}`, name, items, 8), name];
  });
  return maker.navigate(menu);
}

/** The keyword is in many links that lead elsewhere: tags, a calendar, advertisements. The targets are documents with dates as names. */
function misleading(maker: Maker): MadeSite {
  const documents = Array.from({ length: 90 }, (_, index): [MadePage, string] => {
    const about = maker.chance(0.75) ? maker.topic : maker.other();
    const day = `2024-${String(1 + (index % 12)).padStart(2, "0")}-${String(1 + (index % 28)).padStart(2, "0")}`;
    return [maker.page(`/document/${index}/${day}`, maker.title(about, 0.5), about, 6, about === maker.topic), day];
  });
  const news = Array.from({ length: 500 }, (_, index): [MadePage, string] => {
    const about = maker.other();
    const lure = maker.chance(0.25);
    const title = lure ? `${maker.topic} ${maker.words("", 2, 0)}` : maker.title(about, 0.7);
    return [maker.page(`/news/${index}`, maker.title(about, 0.7), about), title];
  });
  const tags = Array.from({ length: 120 }, (_, index): [MadePage, string] => {
    const name = index % 3 === 0 ? `${maker.topic}-${maker.pick(fillers)}` : `${maker.pick(fillers)}-${index}`;
    return [maker.page(`/tag/${name}-${index}`, "Tag", "", 2), name];
  });
  for (const [page] of news) for (let count = 0; count < 3; count++) maker.link(page, ...maker.pick(tags));
  const menu: [MadePage, string][] = [
    [maker.list("/news", "News", news, 20), "News"],
    [maker.list("/documents", "Documents", documents, 12), "Documents"],
  ];
  return maker.navigate(menu);
}

/** A calendar of years, a shop with filters, and a hub behind two neutral links. */
function traps(maker: Maker): MadeSite {
  const days = Array.from({ length: 600 }, (_, day) =>
    maker.page(`/calendar/${2000 + Math.floor(day / 30)}/${day % 30}`, "Calendar", "", 1),
  );
  for (const [index, day] of days.entries()) {
    for (const step of [-30, -1, 1, 30]) if (days[index + step]) maker.link(day, days[index + step]!, step > 0 ? "Later" : "Earlier");
  }
  const filters = Array.from({ length: 300 }, (_, index) => maker.page(`/find?colour=${index % 10}&size=${index}`, "Find", "", 1));
  for (const filter of filters) for (let count = 0; count < 8; count++) maker.link(filter, maker.pick(filters), maker.pick(fillers));
  const archive = Array.from({ length: 12 }, (_, index): [MadePage, string] => {
    const about = index === 3 || index === 7 ? maker.topic : maker.other();
    const items = Array.from({ length: 30 }, (): [MadePage, string] => {
      const isTold = maker.chance(0.8);
      const title = maker.title(isTold ? about : maker.other(), 0.5);
      const path = `/archive/${index}/${maker.pages.size}`;
      return [maker.page(path, title, isTold ? about : maker.other(), 6, isTold && about === maker.topic), title];
    });
    return [maker.list(`/archive/${index}`, `Box ${index}`, items, 10), `Box ${index}`];
  });
  const archives = maker.page("/archive", "Archive", "", 1);
  for (const [box, name] of archive) maker.link(archives, box, name);
  return maker.navigate([
    [days[300]!, "Calendar"],
    [filters[0]!, "Find"],
    [archives, "Archive"],
  ]);
}

/** Targets anywhere, without a pattern; half of the anchors reveal the topic. */
function scattered(maker: Maker): MadeSite {
  const pages = Array.from({ length: 900 }, (_, index) => {
    const about = maker.chance(0.06) ? maker.topic : maker.other();
    return { about, page: maker.page(`/p/${index}`, maker.title(about, 0.6), about, 6, about === maker.topic) };
  });
  for (const [index, { page, about }] of pages.entries()) {
    const from = index < 10 ? [maker.home] : [maker.pick(pages.slice(0, index)).page, maker.pick(pages).page, maker.pick(pages).page];
    for (const namer of from) maker.link(namer, page, maker.chance(0.5) ? maker.title(about, 0.9) : maker.pick(silentAnchors));
  }
  return maker.navigate([]);
}

/** Each kind of page has its own URL pattern, anchors are dates, and every department has a few of each kind. */
function departments(maker: Maker): MadeSite {
  const kinds = ["minutes", "agenda", "person", "form", "photo", "notice"];
  const rich = maker.pick(kinds);
  const menu = Array.from({ length: 25 }, (_, place): [MadePage, string] => {
    const items = Array.from({ length: maker.whole(25, 45) }, (_, index): [MadePage, string] => {
      const kind = maker.pick(kinds);
      const about = kind === rich && maker.chance(0.7) ? maker.topic : maker.other();
      const path = `/${kind}/${2010 + (index % 15)}/${maker.pages.size}`;
      return [maker.page(path, maker.title(about, 0.4), about, 6, about === maker.topic), `${maker.whole(1, 28)} ${maker.pick(fillers)}`];
    });
    return [maker.list(`/department/${place}`, `Department ${place}`, items, 15), `Department ${place}`];
  });
  for (const [hub, name] of menu) maker.link(maker.home, hub, name);
  return maker.navigate([]);
}

export const kindsOfSites: Readonly<Record<string, (seed: number) => MadeSite>> = {
  "sections, titles and URLs that tell": (seed) => sections(new Maker(seed), false),
  "the same, with numbers for URLs": (seed) => sections(new Maker(seed), true),
  "silent anchors, nameless hubs": (seed) => silent(new Maker(seed)),
  "deep lists": (seed) => deepLists(new Maker(seed)),
  "misleading anchors": (seed) => misleading(new Maker(seed)),
  "behind traps": (seed) => traps(new Maker(seed)),
  "kinds of pages, dates for anchors": (seed) => departments(new Maker(seed)),
  "scattered without a pattern": (seed) => scattered(new Maker(seed)),
};

/** A generated site in the form of a recorded crawl. */
export function webOf({ keyword, seed, pages }: MadeSite): RecordedWeb {
  const scorer = openScorer([keyword]);
  const weights = { keywords: [[keyword, 1]] as const, scoreRatio: 0.5 };
  const recorded = [...pages.values()].map(({ url, title, text, isTarget, links }) => {
    const said = { title: { value: title, source: "title" }, description: undefined, text, links: [] };
    const scored = links.map((link) => ({ url: link.url, score: scorer.match(link)[0]! }));
    return { url, isTarget, relevance: relevanceOf(said, scorer, weights), links: scored };
  });
  return { seeds: [seed], urlScore: keywordsInUrl([keyword]), pages: new Map(recorded.map((page) => [page.url, page])) };
}
