import { draw, range } from "./drawing.ts";
import { linkTree } from "./link-tree.ts";
import type { PageHandler } from "./serve.ts";

export interface GeneratedSite {
  pages: PageHandler;
  /** Every path the site ever had, nearest first; the first is "/". */
  paths: string[];
  /** Clicks from "/" over the links as they are now; Infinity for a page nobody links to. */
  depthOf(path: string): number;
  /** Changes of the living site, for the next run. "/" can be changed but stays where it is. */
  mutate: {
    /** New words, same title and links. */
    change(path: string): void;
    /** From now on a 404. Gives back the pages that linked to it: their HTML changes too. */
    remove(path: string): string[];
    /** Answers as before, but no page links to it. Gives back the pages that did: their HTML changes too. */
    unlink(path: string): string[];
  };
}

export interface GeneratedSiteOptions {
  pages: number;
  /** Links in the text of a page; a home link comes on top. */
  links: number;
  seed: number;
  /** Words of text on a page, 120 unless told. */
  words?: number;
  /** Whether pages have validators, yes unless told. */
  etag?: boolean;
}

/** Everything about a page is drawn from seed and number when it is asked for; the bodies are not kept. */
export function generatedSite(options: GeneratedSiteOptions): GeneratedSite {
  const { pages: count, seed, words = 120, etag = true } = options;
  const tree = linkTree(options);
  const editions = new Map<number, number>();
  const removed = new Set<number>();
  const paths = range(0, count - 1).map((page) => pathOf(seed, page));

  const find = (path: string): number | undefined => {
    const page = path === "/" ? 0 : Number(/-(\d+)$/.exec(path)?.[1] ?? -1);
    return paths[page] === path ? page : undefined;
  };
  const known = (path: string): number => {
    const page = find(path);
    if (page === undefined) throw new Error(`the generated site has no page ${path}`);
    return page;
  };
  const takeOut = (path: string): string[] => {
    const page = known(path);
    if (page === 0) throw new Error("the front page stays");
    const linkers = tree.linkersOf(page).filter((linker) => !removed.has(linker));
    tree.hide(page);
    return linkers.map((linker) => paths[linker]!);
  };

  return {
    paths,
    pages: ({ path }) => {
      const page = find(path.split("?", 1)[0]!);
      if (page === undefined || removed.has(page)) return undefined;
      const links = tree.linksOf(page).map((link) => `<li><a href="${paths[link]}">${titleOf(seed, link)}</a></li>`);
      return { body: render(seed, page, { links, words, edition: editions.get(page) ?? 0 }), etag };
    },
    depthOf: (path) => tree.depthOf(known(path)),
    mutate: {
      change: (path) => {
        editions.set(known(path), (editions.get(known(path)) ?? 0) + 1);
      },
      remove: (path) => {
        const linkers = takeOut(path);
        removed.add(known(path));
        return linkers;
      },
      unlink: takeOut,
    },
  };
}

const NOUNS =
  "heron meadow lantern orchard bridge willow kettle harbour thistle quarry saddle pebble ribbon mill barley anchor finch cellar hedge pylon spindle otter gravel chimney market beacon ferry cobble sparrow tunnel moss weir";
const OTHER_WORDS =
  "quiet old narrow early copper wooden late broad pale sunny crooked steady hollow gentle winter small carries follows keeps mends crosses hides gathers measures leaves finds under behind across beside towards without within until because although while near every another few several most";
const nouns = NOUNS.split(" ");
const vocabulary = [...nouns, ...OTHER_WORDS.split(" ")];
const WORDS_IN_PART = 40;

const nounOf = (seed: number, page: number) => draw(seed, page, 0)(nouns);
const pathOf = (seed: number, page: number) => (page === 0 ? "/" : `/${draw(seed, page, 1)(nouns)}/${nounOf(seed, page)}-${page}`);
const titleOf = (seed: number, page: number) =>
  page === 0 ? "The generated site" : `The ${draw(seed, page, 2)(vocabulary)} ${nounOf(seed, page)}, no. ${page}`;

function render(seed: number, page: number, content: { links: string[]; words: number; edition: number }): string {
  const parts = Math.max(1, Math.ceil(content.words / WORDS_IN_PART));
  const linksInPart = Math.ceil(content.links.length / parts);
  const sections = range(0, parts - 1).map((part) => {
    const pick = draw(seed, page, 4, part, part === 0 ? content.edition : 0);
    const heading = draw(seed, page, 5, part);
    const links = content.links.slice(part * linksInPart, (part + 1) * linksInPart);
    return `<h2>${heading(vocabulary)} ${heading(nouns)}</h2>
<p>${prose(pick, Math.min(WORDS_IN_PART, content.words - part * WORDS_IN_PART))}</p>
<ul>
${links.join("\n")}
</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${titleOf(seed, page)}</title></head>
<body>
<header><a href="/">Home</a></header>
<main>
<h1>${titleOf(seed, page)}</h1>
${sections.join("\n")}
</main>
</body>
</html>
`;
}

function prose(pick: ReturnType<typeof draw>, words: number): string {
  const sentences: string[] = [];
  for (let left = words; left > 0; left -= 10) {
    const sentence = range(1, Math.min(left, 10)).map(() => pick(vocabulary));
    sentences.push(`${sentence.join(" ").replace(/^./, (first) => first.toUpperCase())}.`);
  }
  return sentences.join(" ");
}
