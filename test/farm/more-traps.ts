/** The same kinds of traps once more, with something on every page that tells it from the others. */
import type { PageSpec } from "../site/index.ts";
import { type Trap, under } from "./traps.ts";
import { anchors, draw, times } from "./words.ts";

type Link = [href: string, text: string];
const escaped = (links: readonly Link[]) => anchors(...links.map(([href, text]): Link => [href.replaceAll("&", "&amp;"), text]));
const counter = (path: string) => `You are visitor number ${draw(path).number(10 ** 6)}.`;
const greeting = (path: string) => `Hello ${draw(path).token(9)}.`;

/** A pager that jumps, over pages that have nothing but their number. */
function pager(name: string, prefix: string, jumps: readonly number[]): Trap {
  const page = (path: string) => {
    const at = Number(path.slice(prefix.length));
    const links = jumps.map((jump) => at + jump).filter((n) => n > 0);
    return `<h1>Results</h1><p>This is page ${at} of the results.</p>${escaped(links.map((n) => [`${prefix}${n}`, `${n}`]))}`;
  };
  return under(name, prefix, page, `${prefix}${Math.max(...jumps)}`);
}

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString().slice(0, 10);
const MONTHS = "january february march april may june july august september october november december".split(" ");

/** Every day has another text, and there are days without end. */
function calendar(
  name: string,
  prefix: string,
  jumps: readonly number[],
  write: (at: number) => string,
  read: (text: string) => number,
): Trap {
  const page = (path: string) => {
    const at = read(path.slice(prefix.length));
    return `<p>${draw(path).words(30)}</p>${escaped(jumps.map((days) => [`${prefix}${write(at + days * DAY)}`, "another"]))}`;
  };
  return under(name, prefix, page, `${prefix}${write(Date.UTC(2026, 4, 6))}`);
}

const monthName = (at: number) => `${MONTHS[new Date(at).getUTCMonth()]}-${new Date(at).getUTCFullYear()}`;
const ofMonthName = (text: string) => Date.UTC(Number(text.split("-")[1]), MONTHS.indexOf(text.split("-")[0]!), 15);

/** Six filters of five values each. */
const FILTERS = times(6, (n) => ({ name: `f${"abcdef"[n]}`, values: times(5, (value) => draw(`filter ${n} ${value}`).token(6)) }));
type Chosen = readonly (readonly [name: string, value: string])[];

function filters(name: string, shop: string, write: (chosen: Chosen) => string, text: (path: string) => string): Trap {
  const read = new Map<string, Chosen>([[shop, []]]);
  const page = (path: string): PageSpec => {
    const chosen = read.get(path) ?? [];
    const more = FILTERS.filter((filter) => !chosen.some(([other]) => other === filter.name));
    const links = more.flatMap((filter) =>
      filter.values.map((value): Link => {
        const selection: Chosen = [...chosen, [filter.name, value]];
        const url = `${shop}${write(selection)}`;
        read.set(url, selection);
        return [url, `${filter.name} ${value}`];
      }),
    );
    return `<h1>Lamps</h1><p>Lamps of blown glass, made by hand in our own shop behind the harbour.</p><p>${text(path)}</p>${escaped(links)}`;
  };
  return under(name, shop, page);
}

const inOrder = (chosen: Chosen) => [...chosen].sort(([a], [b]) => a.localeCompare(b));

/** A little site under ever new names; each page also shows something that no other does. */
function mirrors(name: string, prefix: string, write: (copy: number, leaf: number) => string, text: (path: string) => string): Trap {
  const read = new Map<string, readonly [copy: number, leaf: number]>();
  const url = (copy: number, leaf: number) => {
    read.set(write(copy, leaf), [copy, leaf]);
    return write(copy, leaf);
  };
  const page = (path: string): PageSpec => {
    const [copy, leaf] = read.get(path) ?? [1, 0];
    const links = times(20, (n): Link => [url(copy, n), `Leaf ${n}`]);
    return `<title>Leaf ${leaf}</title><p>${draw(`${prefix} ${leaf}`).words(40)} ${text(path)}</p>${escaped([...links, [url(copy + 1, 0), "next"]])}`;
  };
  return under(name, prefix, page, write(1, 0));
}

export const moreTraps: readonly Trap[] = [
  pager("a list that jumps by 1, 10 and 100", "/jumps?page=", [1, 10, 100]),
  pager("a list that jumps to and fro", "/fro?page=", [1, 10, 100, -1, -10, -100]),
  pager("a list that jumps in its path", "/jump/page/", [1, 10, 100, 1000]),
  pager("a list by its offset", "/found?q=lamp&start=", [10, 100, 1000]),
  pager(
    "a list of the next twenty pages",
    "/next?p=",
    times(20, (n) => n + 1),
  ),
  calendar("a calendar with another text on every day", "/diary/", [-30, -7, -1, 1, 7, 30], iso, Date.parse),
  calendar("a calendar of months by their names, each with another text", "/months/", [-365, -31, 31, 365], monthName, ofMonthName),
  calendar(
    "a calendar by the second, each day with another text",
    "/when?t=",
    [-30, -7, -1, 1, 7, 30],
    (at) => `${at / 1000}`,
    (text) => Number(text) * 1000,
  ),
  filters("filters in the path with a counter", "/lamp-a", (chosen) => chosen.map(([, value]) => `/${value}`).join(""), counter),
  filters(
    "filters by name in the path with a counter",
    "/lamp-b",
    (chosen) => chosen.map((filter) => `/${filter.join("/")}`).join(""),
    counter,
  ),
  filters(
    "filters in one order in the path with a greeting",
    "/lamp-c",
    (chosen) =>
      inOrder(chosen)
        .map((filter) => `/${filter.join("-")}`)
        .join(""),
    greeting,
  ),
  filters(
    "filters in one order in the query with a counter",
    "/lamp-d",
    (chosen) =>
      `?${inOrder(chosen)
        .map((filter) => filter.join("="))
        .join("&")}`,
    counter,
  ),
  filters(
    "filters in one parameter with a greeting",
    "/lamp-e",
    (chosen) => `?filter=${chosen.map((filter) => filter.join(":")).join(",")}`,
    greeting,
  ),
  mirrors("mirrors with a counter", "/copy", (copy, leaf) => `/copy${copy}/leaf${leaf}`, counter),
  mirrors("mirrors in numbered folders with a greeting", "/again/", (copy, leaf) => `/again/${copy}/docs/sheet${leaf}`, greeting),
  mirrors("mirrors by a parameter with a counter", "/tongue/", (copy, leaf) => `/tongue/scroll${leaf}?lang=l${copy}`, counter),
  under(
    "links that go up and down again",
    "/stairs/",
    (path) =>
      `<p>${counter(path)}</p>${escaped([
        ["../left/right/", "a"],
        ["../right/left/", "b"],
        ["down/", "c"],
      ])}`,
    "/stairs/a/",
  ),
];
