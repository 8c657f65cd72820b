import { hostOf } from "../../../analysis/url/index.ts";
import type { Reason, Via, VisitKind } from "../../../core/records.ts";
import type { Mention, MentionSource } from "./mention.ts";

export interface OutOfScopeUrl {
  readonly url: string;
  readonly given: { readonly via: Via; readonly depth: number; readonly hops: number; readonly kind: VisitKind };
  readonly from: MentionSource;
  readonly reason: Reason;
}

/** Beyond this limit, URLs come into scope only if they are named again. */
const MAX_OUT_OF_SCOPE = 10_000;

/** `www.example.org:8080` and `example.org` have the same ending. This is only a pre-filter; the scope itself decides. */
function domainEnding(host: string): string {
  const name = host.includes(":") ? host.replace(/:\d+$/, "") : host;
  return name.slice(name.lastIndexOf(".", name.lastIndexOf(".") - 1) + 1);
}

/**
 * URLs that are out of scope now but may come into scope: a sitemap may name `www.example.org` before `example.org` has redirected there.
 */
export class OutOfScopeUrls {
  readonly #endings: ReadonlySet<string>;
  #waiting: OutOfScopeUrl[] = [];

  constructor(seeds: readonly string[]) {
    this.#endings = new Set(seeds.map((seed) => domainEnding(hostOf(seed))));
  }

  keep({ url, via, depth, hops, kind }: Mention, from: MentionSource, reason: Reason): void {
    if (this.#waiting.length >= MAX_OUT_OF_SCOPE || !this.#endings.has(domainEnding(hostOf(url)))) return;
    this.#waiting.push({ url, given: { via, depth, hops, kind }, from, reason });
  }

  /** Removes and returns those that are in scope by now. */
  take(isInScope: (url: string) => boolean): readonly OutOfScopeUrl[] {
    const found = this.#waiting.filter(({ url }) => isInScope(url));
    if (found.length > 0) this.#waiting = this.#waiting.filter(({ url }) => !isInScope(url));
    return found;
  }
}
