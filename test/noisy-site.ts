import type { PageSpec } from "./site/index.ts";

/** A town's site whose pages never look the same twice, and which is edited now and then. */
export interface NoisySite {
  readonly pages: Record<string, PageSpec>;
  /** What is done to the site before a run, and to which pages. */
  edit(run: number): { readonly changed: readonly string[]; readonly added: readonly string[]; readonly removed: readonly string[] };
}

interface Entry {
  kind: "news" | "shop" | "people" | "alone";
  title: string;
  body: string[];
  price: number;
  meeting: string;
  isWithdrawn?: boolean;
}

const BANNERS = [
  "Visit the spring fair",
  "Free parking on Sundays",
  "Join the library today",
  "Recycle your old paint",
  "Swim lessons for all",
];
const WORDS =
  "river bridge council garden school road winter summer budget plan meeting market harvest stone mill path water light record story".split(
    " ",
  );

const QUOTES = Array.from({ length: 60 }, (_, at) => {
  const word = (place: number) => WORDS[(at * place + place) % WORDS.length];
  return [
    `Every ${word(3)} has its ${word(7)}.`,
    `He who waits for the ${word(11)} will sleep by the ${word(3)}, as they say.`,
    `“Never a ${word(7)}!”`,
  ][at % 3]!;
});

/** Numbers from a seed, the same each time. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

export function noisySite({ seed, isPerRun }: { seed: number; isPerRun: boolean }): NoisySite {
  const make = dice(seed);
  const sentence = () => `${Array.from({ length: 8 + make(8) }, () => WORDS[make(WORDS.length)]).join(" ")}.`;
  const entries = new Map<string, Entry>();
  const add = (path: string, kind: Entry["kind"], title: string) =>
    entries.set(path, {
      kind,
      title,
      body: [sentence(), sentence(), sentence()],
      price: 10 + make(90),
      meeting: `${1 + make(28)} March 2027`,
    });
  for (let at = 1; at <= 40; at += 1)
    add(
      `/news/${at}-the-${WORDS[at % 20]}-and-the-${WORDS[(at * 7) % 20]}`,
      "news",
      `The ${WORDS[at % 20]} and the ${WORDS[(at * 7) % 20]}, part ${at}`,
    );
  for (let at = 1; at <= 30; at += 1) add(`/shop/item-${at}`, "shop", `A ${WORDS[at % 20]} of ${WORDS[(at * 3) % 20]} (${at})`);
  for (const name of ["anna", "boris", "clara", "dmitri", "elena", "franz", "greta", "hugo", "irma", "jonas"])
    add(`/people/${name}`, "people", `About ${name}`);
  for (const name of ["about", "contact", "hours"]) add(`/${name}`, "alone", `Our ${name}`);
  let [requests, run] = [0, 1];

  const pages: Record<string, PageSpec> = {};
  const draw = (path: string) => () => {
    const entry = path === "/" ? undefined : entries.get(path);
    if (path !== "/" && !entry) return { status: 404 };
    requests += 1;
    let own = 0;
    for (const letter of path) own = own * 31 + letter.charCodeAt(0);
    const roll = dice(isPerRun ? run * 7919 + (own % 9973) + seed : requests * 104729 + seed);
    roll(2);
    const token = Array.from({ length: 4 }, () => roll(65536).toString(16).padStart(4, "0")).join("");
    const listed = [...entries].filter(([, { isWithdrawn }]) => !isWithdrawn);
    const related = Array.from({ length: 3 }, () => listed[roll(listed.length)]!);
    const banner = BANNERS[roll(BANNERS.length)]!;
    const home = `<h1>Sedge town</h1><p>Welcome.</p><ul>${listed.map(([to, { title }]) => `<li><a href="${to}">${title}</a></li>`).join("")}</ul>`;
    const page = entry ? bodyOf(entry, roll, requests) : home;
    const body = `<html><head><title>${entry?.title ?? "Sedge town"}</title><script nonce="${token}">x=${requests}</script></head>
<body><nav><a href="/">Home</a> <a href="/logout?csrf=${token}">Log out</a></nav>
<div class="banner b${roll(9)}"><a href="/banner?to=${BANNERS.indexOf(banner)}">${banner}</a></div>
${page}
<p>Page served at ${new Date(1_800_000_000_000 + requests * 61_003).toISOString()}</p>
<div id="r${token}"><h3>Related</h3><ul>${related.map(([to, { title }]) => `<li><a href="${to}">${title}</a></li>`).join("")}</ul></div>
<form><input type="hidden" name="csrf" value="${token}"></form>
<footer>Visitors: ${4000 + requests * 3} <a href="/contact">Contact</a></footer></body></html>`;
    return { body, headers: { "content-type": "text/html" } };
  };
  const bodyOf = ({ kind, title, body, price, meeting }: Entry, roll: (below: number) => number, count: number) => {
    const text = body.map((each) => `<p>${each}</p>`).join("");
    switch (kind) {
      case "news":
        return `<h1>${title}</h1><p>${count * 3} people have read this. ${body[0]}</p><p>${body[1]}</p><p>${body[2]}</p><p>Next meeting: ${meeting}</p>`;
      case "shop":
        return `<h1>${title}</h1><table><tr><th>Price</th><td>${price} EUR</td></tr><tr><th>Viewers now</th><td>${1 + roll(500)}</td></tr></table>${text}`;
      case "people":
        return `<h1>${title}</h1>${text}<blockquote>${QUOTES[roll(QUOTES.length)]}</blockquote><p>Born ${1900 + (title.length % 50)}.</p>`;
      default:
        return `<h1>${title}</h1>${text}<p>Visitor number ${count} of this page. Session ${roll(65536).toString(16)}${roll(65536)}.</p>`;
    }
  };
  const place = (path: string) => {
    pages[path] = draw(path);
  };
  for (const path of ["/", ...entries.keys(), "/news/41-a-new-story-of-the-lake"]) place(path);
  for (const [at] of BANNERS.entries()) pages[`/banner?to=${at}`] = "<h1>A banner</h1><p>Nothing more to say about it.</p>";
  pages["/logout"] = { status: 404 };

  const edits: Record<
    number,
    (
      path: (kind: Entry["kind"], at: number) => string,
      on: (path: string) => Entry,
    ) => { changed: string[]; added?: string[]; removed?: string[] }
  > = {
    2: (path, on) => {
      on(path("shop", 3)).price += 7;
      on(path("news", 5)).meeting = "30 April 2027";
      on(path("news", 8)).body[0] = "The bridge is closed until further notice.";
      on(path("people", 2)).body[1] += " Retired.";
      on(path("alone", 2)).body.push("We open on Mondays too.");
      return { changed: [path("shop", 3), path("news", 5), path("news", 8), path("people", 2), path("alone", 2)] };
    },
    3: (path, on) => {
      on(path("shop", 3)).price += 1;
      on(path("shop", 12)).body[2] = "Sold out.";
      on(path("news", 20)).body.splice(1, 0, "A new paragraph about the mill.");
      on(path("people", 5)).body.pop();
      entries.set("/news/41-a-new-story-of-the-lake", { ...on(path("news", 1)), title: "A new story of the lake" });
      return {
        changed: [path("shop", 3), path("shop", 12), path("news", 20), path("people", 5), "/"],
        added: ["/news/41-a-new-story-of-the-lake"],
      };
    },
    4: (path, on) => {
      on(path("news", 8)).body[0] = "The bridge is open again.";
      on(path("alone", 0)).body[0] = "Closed on 24 December.";
      const gone = path("people", 7);
      entries.delete(gone);
      return { changed: [path("news", 8), path("alone", 0), "/"], removed: [gone] };
    },
    5: () => ({ changed: [] }),
    6: (path, on) => {
      on(path("shop", 20)).price = 99;
      on(path("alone", 0)).body[0] = "Closed on 25 December.";
      on(path("news", 30)).meeting = "1 May 2027";
      return { changed: [path("shop", 20), path("alone", 0), path("news", 30)] };
    },
  };
  return {
    pages,
    edit: (next) => {
      run = next;
      const path = (kind: Entry["kind"], at: number) => [...entries].filter(([, entry]) => entry.kind === kind)[at]![0];
      const { changed, added = [], removed = [] } = edits[next]!(path, (name) => entries.get(name)!);
      return { changed: changed.sort(), added, removed };
    },
  };
}
