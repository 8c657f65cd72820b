/** Sites that look like traps from afar and are not: whatever they have is to be fetched. */
import type { PageSpec } from "../site/index.ts";
import { anchors, draw, times } from "./words.ts";

export interface LargeSite {
  readonly name: string;
  readonly paths: readonly string[];
  page(path: string): PageSpec | undefined;
}

const ARCHIVE = 400;
const link = (path: string, text = "more"): [string, string] => [path, text];
const archived = (page: number) => `/archive?page=${page}`;

/** The pager jumps by one, ten and a hundred; `items` are all that tells the pages apart. */
function jumpingArchive(name: string, items: (page: number) => string, more: readonly string[] = []): LargeSite {
  const page = (path: string): PageSpec | undefined => {
    if (path === "/") return anchors(...times(8, (n) => link(archived(50 * n + 1))));
    if (more.includes(path)) return `<p>${draw(path).words(20)}</p>`;
    const number = Number(/^\/archive\?page=(\d+)$/.exec(path)?.[1] ?? 0);
    if (number < 1 || number > ARCHIVE) return undefined;
    const pager = [1, -1, 10, -10, 100, -100].map((by) => number + by).filter((n) => n >= 1 && n <= ARCHIVE);
    return `<p>This is page ${number} of the archive.</p>${items(number)}${anchors(...pager.map((n) => link(archived(n), `${n}`)))}`;
  };
  return { name, paths: ["/", ...times(ARCHIVE, (n) => archived(n + 1)), ...more], page };
}

const stories = times(ARCHIVE * 2, (n) => `/story/${n}`);

/** Index pages of all versions say the same; of each other page, one sentence differs. */
function versions(): LargeSite {
  const names = ["v1", "v2", "v3"];
  const [chapters, pages] = [times(20, (n) => draw(`chapter ${n}`).token(7)), times(8, (n) => draw(`page ${n}`).token(7))];
  const paths = names.flatMap((name) => [
    `/${name}/`,
    ...chapters.flatMap((chapter) => [`/${name}/${chapter}/`, ...pages.map((page) => `/${name}/${chapter}/${page}`)]),
  ]);
  const known = new Set(paths);
  const page = (path: string): PageSpec | undefined => {
    if (path === "/") return anchors(...names.map((name) => link(`/${name}/`)));
    if (!known.has(path)) return undefined;
    const [, name, chapter, last] = path.split("/");
    if (!chapter) return `<h1>Handbook</h1>${anchors(...chapters.map((each) => link(`/${name}/${each}/`, each)))}`;
    const index = anchors(...pages.map((each) => link(`/${name}/${chapter}/${each}`, each)));
    if (!last) return `<h1>Chapter</h1><p>${draw(chapter).words(30)}</p>${index}`;
    return `<p>${draw(chapter + last).words(50)}.</p><p>${draw(path).words(15)}.</p>${index}`;
  };
  return { name: "three versions of a handbook", paths: ["/", ...paths], page };
}

/** Months that only name their days; each day has something to say. */
function diary(): LargeSite {
  const months = times(24, (n) => `/diary/${2024 + Math.floor(n / 12)}/${1 + (n % 12)}`);
  const days = months.flatMap((month) => times(9, (n) => `${month}/${3 * n + 1}`));
  const page = (path: string): PageSpec | undefined => {
    if (path === "/") return anchors(...months.map((month) => link(month)));
    if (months.includes(path))
      return `<h1>Diary</h1>${anchors(...days.filter((day) => day.startsWith(`${path}/`)).map((day) => link(day, "day")))}`;
    return days.includes(path) ? `<h1>Diary</h1><p>${draw(path).words(30)}</p>` : undefined;
  };
  return { name: "a diary by months and days", paths: ["/", ...months, ...days], page };
}

/** Photographs that say nothing but where they are. */
function gallery(): LargeSite {
  const albums = times(20, (n) => `/gallery/album-${n}`);
  const photos = albums.flatMap((album) => times(30, (n) => `${album}/photo/${n}`));
  const page = (path: string): PageSpec | undefined => {
    if (path === "/") return anchors(...albums.map((album) => link(album)));
    if (albums.includes(path)) return `<h1>Album</h1>${anchors(...times(30, (n) => link(`${path}/photo/${n}`)))}`;
    return photos.includes(path) ? `<h1>Photo ${path.replaceAll(/\D+/g, " ")}</h1>${anchors(["/", "up"])}` : undefined;
  };
  return { name: "a gallery of thin pages", paths: ["/", ...albums, ...photos], page };
}

/** Folders in folders, as deep as chance has it; all of them say the same. */
function folders(): LargeSite {
  const parents = times(2000, (n) => (n === 0 ? 0 : draw(`folder ${n}`).number(n)));
  const paths: string[] = ["/"];
  const below = new Map<number, number[]>();
  for (const [n, parent] of parents.entries()) {
    if (n === 0) continue;
    paths[n] = `${paths[parent]}${draw(`name ${n}`).token(7)}/`;
    below.set(parent, [...(below.get(parent) ?? []), n]);
  }
  const numbers = new Map(paths.map((path, n) => [path, n]));
  const page = (path: string): PageSpec | undefined => {
    const n = numbers.get(path);
    if (n === undefined) return undefined;
    const links = (below.get(n) ?? []).map((child) => link(paths[child]!, "folder"));
    return `<h1>Index of ${path}</h1>${anchors(...links)}<p>This server of our little town shows all its files to everybody.</p>`;
  };
  // Deeper ones lie past the limits.
  return { name: "a deep tree of folders", paths: paths.filter((path) => path.split("/").length <= 10), page };
}

/** Shops of one company sell the same, at other prices; each is named on the front page. */
function shops(): LargeSite {
  const names = ["north", "south", "east", "west"];
  const goods = times(60, (n) => draw(`goods ${n}`).token(8));
  const paths = names.flatMap((name) => [`/${name}/`, ...goods.map((good) => `/${name}/${good}`)]);
  const known = new Set(paths);
  const page = (path: string): PageSpec | undefined => {
    if (path === "/") return anchors(...names.map((name) => link(`/${name}/`)));
    if (!known.has(path)) return undefined;
    const [, name, good = ""] = path.split("/");
    if (good === "") return `<h1>Our shop</h1>${anchors(...goods.map((each) => link(`/${name}/${each}`, each)))}`;
    return `<h1>${good}</h1><p>${draw(good).words(30)}. It costs ${draw(path).number(900)} pounds.</p>${anchors(...names.map((other) => link(`/${other}/${good}`, other)))}`;
  };
  return { name: "four shops with prices of their own", paths: ["/", ...paths], page };
}

/** Filters in one order; only two of them together show some of the goods. */
function filtered(): LargeSite {
  const values = times(12, (n) => draw(`value ${n}`).token(6));
  const goods = (one: string, other: string) => times(2, (n) => `/goods/${draw(`${one} ${other} ${n}`).token(9)}`);
  const pairs = values.flatMap((one, at) => values.slice(at + 1).map((other) => [one, other] as const));
  const known = new Set(pairs.flatMap(([one, other]) => goods(one, other)));
  const page = (path: string): PageSpec | undefined => {
    if (path === "/") return anchors(link("/shop"));
    if (known.has(path)) return `<p>${draw(path).words(20)}</p>`;
    const [, shop, ...chosen] = path.split("/");
    if (shop !== "shop" || chosen.some((value) => !values.includes(value)) || chosen.length > 3) return undefined;
    const more = chosen.length < 3 ? values.slice(chosen.length === 0 ? 0 : values.indexOf(chosen.at(-1)!) + 1) : [];
    const found = chosen.length === 2 ? goods(chosen[0]!, chosen[1]!) : [];
    return `<h1>Our shop</h1>${anchors(...found.map((good) => link(good)), ...more.map((value) => link(`${path}/${value}`, value)))}`;
  };
  return { name: "goods behind two filters", paths: ["/", "/shop", ...known], page };
}

export const largeSites: readonly LargeSite[] = [
  jumpingArchive(
    "an archive of 400 pages that jumps and links its own items",
    (page) => anchors(link(`/story/${2 * page - 2}`), link(`/story/${2 * page - 1}`)),
    stories,
  ),
  jumpingArchive("an archive of 400 pages that jumps and tells its items", (page) => `<p>${draw(`told ${page}`).words(12)}</p>`),
  jumpingArchive("an archive of 400 pages that jumps and says nothing but its number", () => ""),
  versions(),
  folders(),
  shops(),
  filtered(),
  diary(),
  gallery(),
];
