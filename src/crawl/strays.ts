import type { Reason, Via, VisitKind } from "../records.ts";
import { hostOf } from "../url/index.ts";
import type { Mention, Namer } from "./mention.ts";

export interface Stray {
  readonly url: string;
  readonly given: { readonly via: Via; readonly depth: number; readonly hops: number; readonly kind: VisitKind };
  readonly from: Namer;
  readonly reason: Reason;
}

/** Beyond this limit, URLs come into scope only if they are named again. */
const MOST_STRAYS = 10_000;

/** `www.example.org:8080` and `example.org` have the same ending. This is only a pre-filter; the scope itself decides. */
function ending(host: string): string {
  const name = host.includes(":") ? host.replace(/:\d+$/, "") : host;
  return name.slice(name.lastIndexOf(".", name.lastIndexOf(".") - 1) + 1);
}

/**
 * URLs that are out of scope now but may come into scope: a sitemap may name `www.example.org` before `example.org` has redirected there.
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

  /** Removes and returns those that are in scope by now. */
  take(isInScope: (url: string) => boolean): readonly Stray[] {
    const found = this.#waiting.filter(({ url }) => isInScope(url));
    if (found.length > 0) this.#waiting = this.#waiting.filter(({ url }) => !isInScope(url));
    return found;
  }
}
