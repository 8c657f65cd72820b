import { partsOf } from "./parts.ts";
import { maskQuery } from "./template.ts";

/**
 * Pages in a row that are equal byte for byte. No list of real items is sold out, hidden or empty that long without a page that differs.
 */
const MIN_EQUAL_PAGES = 50;
const MAX_FOLDERS = 2_000;
const MAX_STORED = 100;

/** Case variants with equal content that prove that a host ignores case; a single variant with other content disproves it. */
const MIN_EQUAL_CASE_VARIANTS = 8;
const MAX_PATHS = 50_000;

/** Plain data for a resumed run: folders and hosts with a verdict. */
export interface SamePagesMemory {
  readonly folders: readonly string[];
  readonly hosts: readonly string[];
}

interface EqualRun {
  body: string;
  length: number;
}

interface CaseEvidence {
  equalVariants: number;
  isCaseSensitive: boolean;
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
  readonly #runs = new Map<string, EqualRun>();
  readonly #folders = new Set<string>();
  readonly #caseEvidence = new Map<string, CaseEvidence>();
  readonly #spellings = new Map<string, { readonly url: string; readonly says: string }>();

  get verdicts(): number {
    return this.#folders.size + [...this.#caseEvidence.values()].filter(ignoresCase).length;
  }

  /** Why a URL need not be visited; undefined if it may be. */
  refuse(url: string): string | undefined {
    if (this.#folders.size > 0 && this.#folders.has(folderOf(url)))
      return `${MIN_EQUAL_PAGES} pages of ${folderOf(url)} in a row were the same, byte for byte`;
    if (this.#caseEvidence.size === 0 || !ignoresCase(this.#caseEvidence.get(partsOf(url)?.host ?? ""))) return undefined;
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
    if (length >= MIN_EQUAL_PAGES) this.#folders.add(folder);
    else this.#runs.set(folder, { body, length });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MAX_FOLDERS && oldest !== undefined) this.#runs.delete(oldest);
  }

  snapshot(): SamePagesMemory {
    const hosts = [...this.#caseEvidence].filter(([, caseEvidence]) => ignoresCase(caseEvidence)).map(([host]) => host);
    return { folders: [...this.#folders].slice(-MAX_STORED), hosts: hosts.slice(-MAX_STORED) };
  }

  restore({ folders, hosts }: SamePagesMemory): void {
    for (const folder of folders) this.#folders.add(folder);
    for (const host of hosts) this.#caseEvidence.set(host, { equalVariants: MIN_EQUAL_CASE_VARIANTS, isCaseSensitive: false });
  }

  #learnSpelling(url: string, says: string): void {
    const lower = url.toLowerCase();
    const known = this.#spellings.get(lower);
    if (!known) {
      if (this.#spellings.size < MAX_PATHS) this.#spellings.set(lower, { url, says });
      return;
    }
    if (known.url === url) return;
    const host = partsOf(url)?.host ?? "";
    const caseEvidence = this.#caseEvidence.get(host) ?? { equalVariants: 0, isCaseSensitive: false };
    if (known.says === says) caseEvidence.equalVariants += 1;
    else caseEvidence.isCaseSensitive = true;
    this.#caseEvidence.set(host, caseEvidence);
  }
}

const ignoresCase = (caseEvidence: CaseEvidence | undefined) =>
  caseEvidence !== undefined && !caseEvidence.isCaseSensitive && caseEvidence.equalVariants >= MIN_EQUAL_CASE_VARIANTS;

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
