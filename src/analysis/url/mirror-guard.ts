import { partsOf } from "./parts.ts";

const MAX_PAGES = 50_000;
const MIN_NAMED_PAGES = 8;
/** On many sites a few pages have two addresses; this many mean that the site repeats itself. */
const MIN_MIRRORS = 40;
/** Smallest share of mirrors among pages named by mirrors: index pages of two versions may be equal while the pages they lead to differ. */
const MIN_MIRROR_SHARE = 0.8;

/** Plain data for a resumed run: the pages that are mirrors, once the guard is active. */
export type MirrorMemory = readonly string[];

const MAX_STORED_MIRRORS = 1000;

/**
 * Finds pages with the same content and the same name in another folder or on another host. Two such pages mean nothing; once there are
 * many, URLs that only mirrors name are not visited, because each mirror names the next.
 */
export class MirrorGuard {
  readonly #isSeedHost: (host: string) => boolean;
  readonly #originals = new Map<string, { readonly url: string; readonly length: number }>();
  readonly #mirrors = new Set<string>();
  /** Pages first named by a mirror, and how many of them were mirrors too. */
  #namedByMirrors = 0;
  #namedMirrors = 0;

  /** Hosts given as seeds (`isHome`) are never treated as mirrors. */
  constructor(isSeedHost: (host: string) => boolean = () => false) {
    this.#isSeedHost = isSeedHost;
  }

  get #isActive(): boolean {
    return (
      this.#mirrors.size > MIN_MIRRORS &&
      this.#namedByMirrors >= MIN_NAMED_PAGES &&
      this.#namedMirrors >= MIN_MIRROR_SHARE * this.#namedByMirrors
    );
  }

  get verdicts(): number {
    return this.#isActive ? 1 : 0;
  }

  snapshot(): MirrorMemory {
    return this.#isActive ? [...this.#mirrors].slice(-MAX_STORED_MIRRORS) : [];
  }

  restore(mirrors: MirrorMemory): void {
    for (const url of mirrors) this.#mirrors.add(url);
    if (mirrors.length > 0) [this.#namedByMirrors, this.#namedMirrors] = [MIN_NAMED_PAGES, MIN_NAMED_PAGES];
  }

  /** Whether a URL first named by this page may be visited. */
  admit(parent: string | undefined): boolean {
    return parent === undefined || !this.#isActive || !this.#mirrors.has(parent);
  }

  /**
   * `text` stands for the whole content. Returns the page that this one mirrors, once the guard is active and its links should not be
   * followed.
   */
  learn(url: string, text: string, parent?: string): string | undefined {
    const original = this.#originalOf(url, text);
    const isNamedByMirror = parent !== undefined && this.#mirrors.has(parent);
    this.#namedByMirrors += isNamedByMirror ? 1 : 0;
    if (original === undefined) return undefined;
    this.#namedMirrors += isNamedByMirror ? 1 : 0;
    if (this.#mirrors.size < MAX_PAGES) this.#mirrors.add(url);
    return this.#isActive ? original : undefined;
  }

  #originalOf(url: string, text: string): string | undefined {
    const parts = partsOf(url);
    if (!parts) return undefined;
    const seedHost = this.#isSeedHost(parts.host) ? parts.host : "";
    const name = `${seedHost}${parts.path.slice(parts.path.lastIndexOf("/"))}${parts.query} ${text}`;
    const original = this.#originals.get(name);
    const { length } = parts.path.split("/");
    if (!original || length < original.length) {
      // Copies are usually in subfolders, so the shorter path is the original, even if it was met later.
      if (original || this.#originals.size < MAX_PAGES) this.#originals.set(name, { url, length });
      return undefined;
    }
    return original.url === url ? undefined : original.url;
  }
}
