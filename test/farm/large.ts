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

export const largeSites: readonly LargeSite[] = [
  jumpingArchive(
    "an archive of 400 pages that jumps and links its own items",
    (page) => anchors(link(`/story/${2 * page - 2}`), link(`/story/${2 * page - 1}`)),
    stories,
  ),
  jumpingArchive("an archive of 400 pages that jumps and tells its items", (page) => `<p>${draw(`told ${page}`).words(12)}</p>`),
  versions(),
  diary(),
  gallery(),
];
