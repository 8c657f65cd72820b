/** Sections of a site's `llms.txt`: its own folders that contain enough pages. */

/** Pages listed in the last section, "Optional", which a model with little context may skip. */
const OPTIONAL =
  /^(?:tags?|categor(?:y|ies)|archives?|authors?|search|login|log-in|sign-?in|sign-?up|register|account|cart|checkout|privacy|terms|legal|imprint|impressum|cookies?|licen[cs]es?|sitemap|feeds?|print|\d+)$/;

export const OPTIONAL_SECTION = "Optional";
const MIN_PAGES = 2;
const MAX_SECTIONS = 24;
/** A folder with at least this share of the pages (`/en/`, `/docs/`) does not divide them; then its subfolders are used. */
const MAX_SHARE = 0.8;

/** Limit on counted folders, over two levels. */
const MAX_COUNTED = 20_000;

export class LlmsSections {
  readonly #counts = new Map<string, number>();
  #pages = 0;
  #chosen: ReadonlySet<string> | undefined;

  /** Called for every page first, to find the large folders. */
  count(url: string): void {
    this.#pages += 1;
    const [first, second] = foldersOf(url);
    for (const folder of first === undefined ? [] : second === undefined ? [first] : [first, `${first}/${second}`]) {
      const known = this.#counts.get(folder);
      if (known !== undefined || this.#counts.size < MAX_COUNTED) this.#counts.set(folder, (known ?? 0) + 1);
    }
  }

  /** The name of a page's section; undefined for a page outside all folders. */
  nameFor(url: string): string | undefined {
    this.#chosen ??= this.#choose();
    const [first, second] = foldersOf(url);
    if (first === undefined) return isOptional(lastOf(url)) ? OPTIONAL_SECTION : undefined;
    if (isOptional(first) || (second !== undefined && isOptional(second))) return OPTIONAL_SECTION;
    const folder = [`${first}/${second}`, first].find((name) => this.#chosen?.has(name));
    return folder === undefined ? OPTIONAL_SECTION : folderTitle(folder.slice(folder.indexOf("/") + 1));
  }

  #choose(): ReadonlySet<string> {
    const coversSite = (folder: string) => (this.#counts.get(folder) ?? 0) >= MAX_SHARE * this.#pages;
    const candidates = [...this.#counts].filter(([folder, pages]) => {
      const [first = ""] = folder.split("/");
      return pages >= MIN_PAGES && (folder === first || coversSite(first));
    });
    const largest = candidates.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_SECTIONS);
    return new Set(largest.map(([folder]) => folder));
  }
}

/** The folders of a path: `/docs/api/fetch` is in `docs` and `api`, and so is the index page `/docs/api/`. */
const foldersOf = (url: string): string[] => new URL(url).pathname.split("/").slice(1, -1).filter(Boolean).slice(0, 2).map(plain);

const lastOf = (url: string): string => plain(new URL(url).pathname.split("/").findLast(Boolean) ?? "").replace(/\.\w+$/, "");

const isOptional = (folder: string) => OPTIONAL.test(folder);

const plain = (segment: string): string => {
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment.toLowerCase(); // invalid percent-encoding
  }
};

/** `getting-started` → `Getting started`. */
export function folderTitle(folder: string): string {
  const words = folder.replace(/[-_+.\s]+/g, " ").trim();
  return words === "" ? folder : words[0]!.toUpperCase() + words.slice(1);
}
