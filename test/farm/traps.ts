/** Endless webs, each as the wild ones are: programs that have an answer to everything. */
import type { PageSpec } from "../site/index.ts";
import { anchors, type Draw, draw, times } from "./words.ts";

export interface Trap {
  readonly name: string;
  readonly entry: string;
  /** Whether a path is inside the trap; everything counted in its requests. */
  holds(path: string): boolean;
  page(path: string): PageSpec;
}

export const under = (name: string, prefix: string, page: (path: string) => PageSpec, entry = prefix): Trap => ({
  name,
  entry,
  holds: (path) => path.startsWith(prefix),
  page,
});

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString().slice(0, 10);

function monthPage(path: string): PageSpec {
  const [, , year = "2026", month = "5", day] = path.split("/");
  const at = (offset: number) => {
    const then = new Date(Date.UTC(Number(year), Number(month) - 1 + offset, 1));
    return `/calendar/${then.getUTCFullYear()}/${then.getUTCMonth() + 1}`;
  };
  const name = `${MONTHS[Number(month) - 1]} ${year}`;
  if (day) return `<title>${day} ${name}</title><h1>${day} ${name}</h1><p>There are no events on this day.</p>${anchors([at(0), name])}`;
  const days = times(30, (n): [string, string] => [`${at(0)}/${n + 1}`, String(n + 1)]);
  return `<title>${name}</title><h1>Events in ${name}</h1><p>Nothing is planned for this month.</p>${anchors(...days, [at(-1), "before"], [at(1), "after"])}`;
}

function dayPage(path: string): PageSpec {
  const at = Date.parse(path.slice(-10));
  const near = [-7, -1, 1, 7].map((days): [string, string] => [`/agenda?date=${iso(at + days * DAY)}`, iso(at + days * DAY)]);
  return `<h1>Agenda of ${iso(at)}</h1><p>Nothing is on today.</p>${anchors(...near)}`;
}

const FACETS = {
  colour: ["red", "green", "blue", "grey"],
  size: ["small", "medium", "large"],
  maker: ["ash", "birch", "cedar"],
  sort: ["price", "name"],
};

/** Each click adds a filter; `sorted` writes them in one order, the other in the order of the clicks. */
function facetPage(path: string, isSorted: boolean): PageSpec {
  const [shop = "", query = ""] = path.split("?");
  const chosen = query.split("&").filter(Boolean);
  const has = (name: string) => chosen.some((filter) => filter.startsWith(`${name}=`));
  const more = Object.entries(FACETS).flatMap(([name, values]) => (has(name) ? [] : values.map((value) => `${name}=${value}`)));
  const links = more.map((filter): [string, string] => [
    `${shop}?${(isSorted ? [...chosen, filter].sort() : [...chosen, filter]).join("&amp;")}`,
    filter,
  ]);
  const goods = times(6, (n) => `<li>Chair number ${n + 1 + (chosen.length % 2)} of oiled oak</li>`);
  return `<h1>Chairs ${chosen.map((filter) => filter.replace("=", " ")).join(", ")}</h1><ul>${goods.join("")}</ul>${anchors(...links)}`;
}

/** Five rooms under ever new session ids. */
function session(name: string, prefix: string, link: (page: number, draw: Draw) => string): Trap {
  const rooms = (path: string) => {
    const room = Number(/room(\d)/.exec(path)?.[1] ?? 0);
    const links = times(5, (n): [string, string] => [link(n, draw(`${path}|${n}`)), `Room ${n}`]);
    return `<title>Room ${room}</title><p>${draw(`${prefix} ${room}`).words(30)}</p>${anchors(...links)}`;
  };
  return under(name, prefix, rooms, link(0, draw(name)).replace("&amp;", "&"));
}

function mirrorPage(path: string): PageSpec {
  const [, , copy = "1", page = "0"] = path.split("/");
  const links = times(20, (n): [string, string] => [`/mirror/${copy}/${n}`, `Leaf ${n}`]);
  return `<title>Leaf ${page}</title><p>${draw(`leaf ${page}`).words(25)}</p>${anchors(...links, [`/mirror/${Number(copy) + 1}/0`, "Mirror"])}`;
}

/** Every page leads to pages that nobody has seen; one in `ends` leads nowhere. */
const wilderness =
  (prefix: string, links: number, text: (path: string) => string, ends = 0) =>
  (path: string) => {
    const { words, token, number } = draw(path);
    const isEnd = path !== prefix && ends > 0 && number(ends) === 0;
    const onwards = times(isEnd ? 0 : links, (): [string, string] => [`${prefix}${words(2).replace(" ", "-")}-${token(5)}`, words(2)]);
    return `<p>${text(path)}</p>${anchors(...onwards)}`;
  };

const maze = (name: string, prefix: string, links: number, text: (path: string) => string, ends = 0): Trap =>
  under(name, prefix, wilderness(prefix, links, text, ends));

function redirectPage(path: string): PageSpec {
  const { words, token, number } = draw(path);
  if (path.startsWith("/go/") && number(3) > 0) return { status: 302, headers: { location: `/go/${token(8)}` } };
  return `<p>${words(20)}</p>${anchors(...times(4, (): [string, string] => [`/go/${token(8)}`, words(2)]))}`;
}

function list(name: string, path: string, next: (page: number) => number[], text: (page: number) => string): Trap {
  const results = (asked: string) => {
    const page = Number(/page=(\d+)/.exec(asked)?.[1] ?? 1);
    return `<h1>Results</h1><p>${text(page)}</p>${anchors(...next(page).map((n): [string, string] => [`${path}?page=${n}`, `${n}`]))}`;
  };
  return under(name, `${path}?`, results, `${path}?page=1`);
}

/** What varies on a page that has nothing to say. */
const SORRY = [
  "The page you asked for could not be found here.",
  "It may have been moved to another place by its author.",
  "Perhaps one of the pages below is what you were looking for.",
  "You can always go back to the front page and begin again.",
];
const excuses: Record<string, (path: string) => string> = {
  "the path": (path) => `${SORRY.join(" ")} You asked for ${path.replaceAll("/", " ")}.`,
  "a counter and a date": (path) =>
    `${SORRY.join(" ")} Visitor ${draw(path).number(10 ** 6)} of ${iso(draw(path).number(10 ** 9) * 1000)}.`,
  "a word": (path) => `${SORRY.join(" ")} Word of the day: ${draw(path).token(9)}.`,
  "the order of its sentences": (path) => [...SORRY].sort((a, b) => draw(path + a).number(99) - draw(path + b).number(99)).join(" "),
};

/** Filters as parts of the path, in the order of the clicks. */
function pathFacetPage(path: string): PageSpec {
  const [, shop, ...chosen] = path.split("/");
  const more = Object.values(FACETS).flatMap((values) => (values.some((value) => chosen.includes(value)) ? [] : values));
  const goods = times(6, (n) => `<li>Lamp number ${n + 1 + (chosen.length % 2)} of blown glass</li>`);
  const links = more.map((value): [string, string] => [`/${[shop, ...chosen, value].join("/")}`, value]);
  return `<h1>Lamps ${chosen.join(", ")}</h1><ul>${goods.join("")}</ul>${anchors(...links)}`;
}

function weekPage(path: string): PageSpec {
  const [, , year = "2026", week = "20"] = path.split("/");
  const at = (offset: number) => {
    const weeks = Number(year) * 52 + Number(week) - 1 + offset;
    return `/weeks/${Math.floor(weeks / 52)}/${(weeks % 52) + 1}`;
  };
  const near = [-52, -4, -1, 1, 4, 52].map((weeks): [string, string] => [at(weeks), "another week"]);
  return `<h1>Week ${week} of ${year}</h1><p>No bookings. The word of the week is ${draw(path).token(7)}.</p>${anchors(...near)}`;
}

const numbered = (page: number) => `This is page ${page} of the results.`;

export const traps: readonly Trap[] = [
  under("a calendar with a page for each day", "/calendar/", monthPage, "/calendar/2026/5"),
  under("a calendar of days in a parameter", "/agenda?", dayPage, "/agenda?date=2026-05-06"),
  under("filters in the order of the clicks", "/chairs", (path) => facetPage(path, false)),
  under("filters in one order", "/stools", (path) => facetPage(path, true)),
  session("a session id in the path", "/s/", (page, { token }) => `/s/${token(20)}/room${page}`),
  session("a short session id in the path", "/in-", (page, { token }) => `/in-${token(5)}/room${page}`),
  session("a session id as a parameter", "/see?", (page, { token }) => `/see?at=room${page}&amp;sid=${token(24)}`),
  under("a relative link that should be absolute", "/grow/", () => `<p>The growing path.</p>${anchors(["deeper/", "on"])}`),
  under("three such links", "/sprout/", () => `<p>The sprouting path.</p>${anchors(["leaf/", "a"], ["stem/", "b"], ["root/", "c"])}`),
  under("mirrors that name the next mirror", "/mirror/", mirrorPage, "/mirror/1/0"),
  maze("a maze of missing pages that all say the same", "/lost/", 5, () => "The page was not found. Try one of these instead."),
  maze("a maze of random words", "/maze/", 6, (path) => draw(path).words(60)),
  maze("a maze with a way back to its start", "/hall/", 4, (path) => draw(path).words(40) + anchors(["/hall/", "start"], ["/", "home"])),
  maze("a maze with blind ends", "/cave/", 4, (path) => draw(path).words(30), 12),
  under("a maze of growing paths", "/deep/", (path) => wilderness(`${path.replace(/\/$/, "")}/`, 4, (at) => draw(at).words(60))(path)),
  under("redirects that lead to more redirects", "/go", redirectPage),
  list(
    "a list without end that says the same",
    "/list-a",
    (page) => [page + 1, page + 2, page + 3],
    () => "Nothing was found for you.",
  ),
  list("a list without end that counts its pages", "/list-b", (page) => [page + 1, page + 2, page + 5], numbered),
  list("a list that branches", "/list-c", (page) => [2 * page, 2 * page + 1], numbered),
  ...Object.entries(excuses).map(([what, text], at) =>
    under(`numbered rooms that say the same but for ${what}`, `/house${at}/`, (path) => {
      const { number } = draw(path);
      const doors = times(5, (): [string, string] => [`/house${at}/${number(1000)}/door/${number(1000)}`, "a door"]);
      return `<p>${text(path)}</p>${anchors(...doors)}`;
    }),
  ),
  under("names mixed of few words", "/mix/", (path) => {
    const { words } = draw(path);
    const links = times(4, (): [string, string] => [`/mix/${words(3).replaceAll(" ", "/")}`, words(2)]);
    return `<p>${excuses["a word"]!(path)}</p>${anchors(...links)}`;
  }),
  under("filters as parts of the path", "/lamps", pathFacetPage),
  under("a calendar of weeks with a word of the week", "/weeks/", weekPage, "/weeks/2026/20"),
  list("a list that jumps anywhere", "/list-d", (page) => times(6, (n) => draw(`${page} ${n}`).number(10 ** 9)), numbered),
];
