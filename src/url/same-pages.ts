import { partsOf } from "./parts.ts";
import { maskQuery } from "./template.ts";

/**
 * Pages in a row that are equal byte for byte. No list of real items is sold out, hidden or empty that long without a page that differs.
 */
const SAME = 50;
const MOST_FOLDERS = 2_000;
const MOST_KEPT = 100;

/** Case variants with equal content that prove that a host ignores case; a single variant with other content disproves it. */
const SAME_IN_OTHER_LETTERS = 8;
const MOST_PATHS = 50_000;

/** Plain data for a resumed run: folders and hosts with a verdict. */
export interface SamePagesMemory {
  readonly folders: readonly string[];
  readonly hosts: readonly string[];
}

interface Run {
  body: string;
  length: number;
}

interface Letters {
  same: number;
  matter: boolean;
}

/** A page as this guard sees it. */
export interface SeenPage {
  readonly url: string;
  /** The hash of its bytes. */
  readonly body: string;
  /** Its text, without links, which may differ each time. */
  readonly says: string;
  /** Whether it named any new URL. */
  readonly hasNews: boolean;
}

/**
 * Finds folders whose pages are all the same page, byte for byte, and hosts that ignore case in paths. A few equal pages mean nothing; a
 * long row of them, without one that differs or leads to new URLs, is not worth continuing.
 */
export class SamePages {
  readonly #runs = new Map<string, Run>();
  readonly #folders = new Set<string>();
  readonly #letters = new Map<string, Letters>();
  readonly #spellings = new Map<string, { readonly url: string; readonly says: string }>();

  get verdicts(): number {
    return this.#folders.size + [...this.#letters.values()].filter(ignoresCase).length;
  }

  /** Why a URL need not be visited; undefined if it may be. */
  refuse(url: string): string | undefined {
    if (this.#folders.size > 0 && this.#folders.has(folderOf(url)))
      return `${SAME} pages of ${folderOf(url)} in a row were the same, byte for byte`;
    if (this.#letters.size === 0 || !ignoresCase(this.#letters.get(partsOf(url)?.host ?? ""))) return undefined;
    const known = this.#spellings.get(url.toLowerCase());
    return known && known.url !== url ? `${known.url} in other letters, and this host serves the same for both` : undefined;
  }

  /** Call for each page with text. */
  learn({ url, body, says, hasNews }: SeenPage): void {
    this.#learnSpelling(url, says);
    const folder = folderOf(url);
    if (this.#folders.has(folder)) return;
    const run = this.#runs.get(folder);
    this.#runs.delete(folder);
    const isSame = run?.body === body && !hasNews;
    const length = isSame ? run.length + 1 : 1;
    if (length >= SAME) this.#folders.add(folder);
    else this.#runs.set(folder, { body, length });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MOST_FOLDERS && oldest !== undefined) this.#runs.delete(oldest);
  }

  snapshot(): SamePagesMemory {
    const hosts = [...this.#letters].filter(([, letters]) => ignoresCase(letters)).map(([host]) => host);
    return { folders: [...this.#folders].slice(-MOST_KEPT), hosts: hosts.slice(-MOST_KEPT) };
  }

  restore({ folders, hosts }: SamePagesMemory): void {
    for (const folder of folders) this.#folders.add(folder);
    for (const host of hosts) this.#letters.set(host, { same: SAME_IN_OTHER_LETTERS, matter: false });
  }

  #learnSpelling(url: string, says: string): void {
    const lower = url.toLowerCase();
    const known = this.#spellings.get(lower);
    if (!known) {
      if (this.#spellings.size < MOST_PATHS) this.#spellings.set(lower, { url, says });
      return;
    }
    if (known.url === url) return;
    const host = partsOf(url)?.host ?? "";
    const letters = this.#letters.get(host) ?? { same: 0, matter: false };
    if (known.says === says) letters.same += 1;
    else letters.matter = true;
    this.#letters.set(host, letters);
  }
}

const ignoresCase = (letters: Letters | undefined) => letters !== undefined && !letters.matter && letters.same >= SAME_IN_OTHER_LETTERS;

/**
 * The group of a page: its host and folder, or its path and parameter names, so that pages differing in the last segment or in values
 * share a group. Next to the front page unrelated pages are common, so names count there, apart from numbers.
 */
function folderOf(url: string): string {
  const { host, path, query } = partsOf(url) ?? { host: "", path: "/", query: "" };
  if (query !== "") return `${host}${path}${maskQuery(query)}`;
  const folder = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
  return folder === "/" ? `${host}${path.replace(/\d+/g, "{n}")}` : `${host}${folder}`;
}
