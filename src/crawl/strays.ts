import type { Reason, Via, VisitKind } from "../records.ts";
import { hostOf } from "../url/index.ts";
import type { Mention, Namer } from "./mention.ts";

export interface Stray {
  readonly url: string;
  readonly given: { readonly via: Via; readonly depth: number; readonly hops: number; readonly kind: VisitKind };
  readonly from: Namer;
  readonly reason: Reason;
}

/** Of more, only what is heard of again finds its way in. */
const MOST_STRAYS = 10_000;

/** `www.example.org:8080` and `example.org` end alike. Many that do are strangers: the scope itself has the last word. */
function ending(host: string): string {
  const name = host.includes(":") ? host.replace(/:\d+$/, "") : host;
  return name.slice(name.lastIndexOf(".", name.lastIndexOf(".") - 1) + 1);
}

/**
 * URLs that were out of scope when they were heard of, and may not be for long: a sitemap may name `www.example.org` while
 * `example.org`, which is about to move there, has not answered yet.
 */
export class Strays {
  readonly #endings: ReadonlySet<string>;
  #waiting: Stray[] = [];

  constructor(seeds: readonly string[]) {
    this.#endings = new Set(seeds.map((seed) => ending(hostOf(seed))));
  }

  keep({ url, via, depth, hops, kind }: Mention, from: Namer, reason: Reason): void {
    if (this.#waiting.length >= MOST_STRAYS || !this.#endings.has(ending(hostOf(url)))) return;
    this.#waiting.push({ url, given: { via, depth, hops, kind }, from, reason });
  }

  /** Those that are in scope by now; they are forgotten here. */
  take(isInScope: (url: string) => boolean): readonly Stray[] {
    const found = this.#waiting.filter(({ url }) => isInScope(url));
    if (found.length > 0) this.#waiting = this.#waiting.filter(({ url }) => !isInScope(url));
    return found;
  }
}
