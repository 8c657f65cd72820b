import { partsOf } from "./parts.ts";
import { maskQuery } from "./template.ts";

/** So many in a row, byte for byte the same: no list of real things is sold out, hidden or empty as long as that without one that differs. */
const SAME = 50;
const MOST_FOLDERS = 2_000;
const MOST_KEPT = 100;

/** Spellings of one path that were asked for and say the same; one that does not, and letters matter there. */
const SAME_IN_OTHER_LETTERS = 8;
const MOST_PATHS = 50_000;

/** Plain data, for a resumed run: folders and hosts that are left alone. */
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

/** What a page is, for this guard. */
export interface SeenPage {
  readonly url: string;
  /** The name of its bytes. */
  readonly body: string;
  /** What it says, whatever links it writes anew each time. */
  readonly says: string;
  /** Whether it named anything that nobody had named before. */
  readonly hasNews: boolean;
}

/**
 * Knows folders whose pages are all one page, byte for byte, and hosts to which capitals and small letters are the same. A few such pages
 * mean nothing; a long row of them without one that differs, or that leads anywhere new, is not worth going on with.
 */
export class SamePages {
  readonly #runs = new Map<string, Run>();
  readonly #folders = new Set<string>();
  readonly #letters = new Map<string, Letters>();
  readonly #spellings = new Map<string, { readonly url: string; readonly says: string }>();

  get verdicts(): number {
    return this.#folders.size + [...this.#letters.values()].filter(ignoresCase).length;
  }

  /** Why a URL need not be visited; undefined where it may be. */
  refuse(url: string): string | undefined {
    if (this.#folders.size > 0 && this.#folders.has(folderOf(url)))
      return `${SAME} pages of ${folderOf(url)} in a row were the same, byte for byte`;
    if (this.#letters.size === 0 || !ignoresCase(this.#letters.get(partsOf(url)?.host ?? ""))) return undefined;
    const known = this.#spellings.get(url.toLowerCase());
    return known && known.url !== url ? `${known.url} in other letters, and this host serves the same for both` : undefined;
  }

  /** To be told of every page that has a text. */
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
 * A page's host and folder, or the names of its parameters: pages that differ in their last name, or in values, are of one folder. Beside the
 * front page everything may be, so that names count there but for their numbers.
 */
function folderOf(url: string): string {
  const { host, path, query } = partsOf(url) ?? { host: "", path: "/", query: "" };
  if (query !== "") return `${host}${path}${maskQuery(query)}`;
  const folder = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
  return folder === "/" ? `${host}${path.replace(/\d+/g, "{n}")}` : `${host}${folder}`;
}
