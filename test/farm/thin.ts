/** Sites of many pages that say next to nothing: real all the same. */
import type { PageSpec } from "../site/index.ts";
import { anchors, draw, times } from "./words.ts";

export const THIN_PAGES = 1500;

export interface ThinSite {
  readonly name: string;
  path(page: number): string;
  /** The numbers of the pages that a page links to. */
  links(page: number): number[];
}

const anyOf = (count: number) => (page: number) => times(count, (n) => draw(`${page} ${n}`).number(THIN_PAGES));
const children = (count: number) => (page: number) => times(count, (n) => count * page + n + 1);
const DAY = 86_400_000;
const NAMES = ["amber", "birch", "cloud", "delta", "ember", "field", "grove", "heath", "inlet", "jetty", "kite", "lamp"];
/** A number in words, each of which many others share. */
const namesOf = (page: number) => [page % 12, Math.floor(page / 12) % 12, Math.floor(page / 144)].map((place) => NAMES[place]!);
const hex = (page: number) => ((page + 1) * 2_654_435_761).toString(16).padStart(16, "c0ffee00c0ffee00");

export const thinSites: readonly ThinSite[] = [
  { name: "/page/17, five links anywhere", path: (page) => `/page/${page}`, links: anyOf(5) },
  {
    name: "/item?id=17, three links anywhere and the next",
    path: (page) => `/item?id=${page}`,
    links: (page) => [page + 1, ...anyOf(3)(page)],
  },
  { name: "/list?page=17&view=all, six links anywhere", path: (page) => `/list?page=${page}&amp;view=all`, links: anyOf(6) },
  { name: "/doc/<sixteen hex digits>, five links anywhere", path: (page) => `/doc/${hex(page)}`, links: anyOf(5) },
  { name: "/17, a tree of three branches and no way back", path: (page) => `/${page}`, links: children(3) },
  { name: "/n?at=17, a tree of two branches and no way back", path: (page) => `/n?at=${page}`, links: children(2) },
  { name: "/a/b/c/17, a tree of twenty branches and no way back", path: (page) => `/a/b/c/${page}`, links: children(20) },
  {
    name: "/minutes/2020-05-06-no-17, four links anywhere",
    path: (page) => `/minutes/${new Date(page * DAY).toISOString().slice(0, 10)}-no-${page}`,
    links: anyOf(4),
  },
  { name: "/p/17, the next two hundred", path: (page) => `/p/${page}`, links: (page) => times(200, (n) => page + n + 1) },
  { name: "/page-17.html, a tree of ten branches", path: (page) => `/page-${page}.html`, links: children(10) },
  {
    name: "/section/3/page/17, six links anywhere",
    path: (page) => `/section/${page % 25}/page/${Math.floor(page / 25)}`,
    links: anyOf(6),
  },
  {
    name: "/section-3/article-19617.html, five links anywhere",
    path: (page) => `/section-${page % 37}/article-${19_000 + page}.html`,
    links: anyOf(5),
  },
  { name: "/no/200017, five links anywhere", path: (page) => `/no/${200_000 + page}`, links: anyOf(5) },
  { name: "/amber/kite/off, a tree of ten branches", path: (page) => `/${namesOf(page).join("/")}`, links: children(10) },
  {
    name: "/blog/2017/03/post-17, five links anywhere",
    path: (page) => `/blog/${2010 + (page % 15)}/${String(1 + (page % 12)).padStart(2, "0")}/post-${page}`,
    links: anyOf(5),
  },
];

export function thinPage(site: ThinSite): (path: string) => PageSpec | undefined {
  const pages = new Map(times(THIN_PAGES, (page) => [site.path(page).replaceAll("&amp;", "&"), page]));
  return (path) => {
    const page = path === "/" ? 0 : pages.get(path);
    if (page === undefined) return undefined;
    const links = site.links(page).filter((link) => link < THIN_PAGES);
    return `<p>Page ${page}</p>${anchors(...links.map((link): [string, string] => [site.path(link), "more"]))}`;
  };
}

/** What can be reached from the front page, which is page 0 under another name. */
export function thinPaths(site: ThinSite): string[] {
  const seen = new Set(site.links(0));
  for (const page of seen) for (const link of site.links(page)) if (link < THIN_PAGES) seen.add(link);
  return ["/", ...[...seen].map((page) => site.path(page).replaceAll("&amp;", "&"))].sort();
}
