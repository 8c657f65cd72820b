/** A small town's web: a council that changes, an archive too large to be read soon, a library in no hurry, and a page written in spite. */
import type { PageSpec, SiteRequest } from "../site/index.ts";

const SECTIONS: readonly (readonly [path: string, name: string, topics: readonly string[]])[] = [
  ["news", "News", ["Bridge closed for repairs", "Market day moves to Saturday", "Swimming pool opens", "New bus to the station"]],
  ["budget", "Budget", ["Budget 2026", "Spending by department", "Annual accounts", "Grants to clubs", "Council tax"]],
  ["council", "Council", ["Members", "Meetings", "Minutes of the finance committee", "Rules of procedure"]],
  ["services", "Services", ["Waste and recycling", "Birth certificates", "Planning permission", "Parking permits"]],
];

const slug = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
const places = SECTIONS.flatMap(([section, , topics]) => topics.map((topic) => ({ path: `/${section}/${slug(topic)}`, topic, section })));

const link = (path: string, text: string) => `<li><a href="${path}">${text}</a></li>`;

/** What somebody might plant to run code in whoever reads: as title, as address and as text of a link. */
export const SPITE = `<img src=x onerror="window.hurt='title'">`;
const spiteful = [
  `/odd/%3Cimg%20src=x%20onerror=window.hurt=1%3E`,
  `/odd/?q=%22%3E%3Cscript%3Ewindow.hurt=2%3C/script%3E`,
  `/odd/a'onmouseover='window.hurt=3`,
];
/** Nothing in them to break a line at. */
const LONG = { path: `/long/${"x".repeat(700)}/${"y".repeat(300)}`, title: "Rindfleischetikettierung".repeat(30) };
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title} | Sittaford</title><meta name="description" content="${title}: what the town council of Sittaford says about it."></head>` +
  `<body><header><a href="/">Sittaford</a></header><main><h1>${title}</h1>${body}</main><footer><a href="/council/members">Council</a></footer></body></html>`;

const SENTENCES = [
  "The council met on Tuesday evening in the town hall.",
  "Residents may see the documents at the front desk on weekdays.",
  "The committee thanked everybody who had written before the deadline.",
  "Questions are answered by telephone between nine and four.",
];
const text = (seed: number) => `<p>${[0, 1, 2, 3].map((at) => SENTENCES[(seed + at * 3) % SENTENCES.length]).join(" ")}</p>`;

/** The council's site in one of two weeks. */
export function council(week: () => number, isSpiteful: boolean) {
  return ({ path }: SiteRequest): PageSpec | undefined => {
    if (path === "/robots.txt") return { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /admin\n" };
    if (path === "/")
      return page(
        "Welcome to Sittaford",
        `<ul>${SECTIONS.map(([section, name]) => link(`/${section}/`, name)).join("")}${isSpiteful ? link("/odd/", "Odd corner") : ""}${link("/admin/login", "Staff")}${link("/lost", "An old notice")}</ul>${text(1)}`,
      );
    const section = SECTIONS.find(([name]) => path === `/${name}/`);
    if (section) return page(section[1], `<ul>${section[2].map((topic) => link(`/${section[0]}/${slug(topic)}`, topic)).join("")}</ul>`);
    if (path.startsWith("/odd/")) return oddPage(path);
    if (path === LONG.path) return page(LONG.title, text(1));
    const at = places.findIndex((place) => place.path === path);
    if (at < 0) return undefined;
    if (week() > 1 && at === 3) return { status: 404, body: "gone" };
    const { topic, section: of } = places[at]!;
    const figures =
      of === "budget" ? `<p>The ${topic.toLowerCase()} comes to ${week() > 1 ? "4.8" : "4.2"} million crowns this year.</p>` : "";
    const links = `<p>See also <a href="${places[(at + 5) % places.length]!.path}">${places[(at + 5) % places.length]!.topic}</a>.</p>`;
    return page(topic, `${text(at)}${figures}${text(at + 2)}${links}`);
  };
}

function oddPage(path: string): PageSpec {
  if (path !== "/odd/") return page(escaped(SPITE), text(2));
  const links = spiteful.map((to) => link(escaped(to), escaped(`budget ${SPITE}`))).join("");
  return page(escaped(`Odd ${SPITE}`), `${text(3)}<ul>${links}${link(LONG.path, "Long words")}</ul>`);
}

/** Nine hundred years of minutes: more than a run gets through while somebody looks, however slow the machine. */
export function archive(): (request: SiteRequest) => PageSpec | undefined {
  const years = Array.from({ length: 900 }, (_, at) => 1125 + at);
  return ({ path }) => {
    if (path === "/robots.txt") return { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /sealed\n" };
    if (path === "/")
      return page(
        "Archive",
        `<ul>${years.map((year) => link(`/minutes/${year < 1900 ? "old" : "new"}/${year}`, `Minutes of ${year}`)).join("")}${link("/sealed/1914", "Sealed")}${link("/burnt", "Burnt in 1851")}</ul>`,
      );
    const year = /^\/minutes\/(?:old|new)\/(\d{4})$/.exec(path)?.[1];
    return year === undefined ? undefined : page(`Minutes of ${year}`, text(Number(year)) + text(Number(year) + 1));
  };
}

export function library(): (request: SiteRequest) => PageSpec | undefined {
  const shelves = Array.from({ length: 40 }, (_, at) => at + 1);
  return ({ path }) => {
    if (path === "/robots.txt") return { headers: { "content-type": "text/plain" }, body: "User-agent: *\nCrawl-delay: 10\n" };
    if (path === "/") return page("Library", `<ul>${shelves.map((shelf) => link(`/shelf/${shelf}`, `Shelf ${shelf}`)).join("")}</ul>`);
    return path.startsWith("/shelf/") ? page(`Shelf ${path.slice(7)}`, text(path.length)) : undefined;
  };
}
