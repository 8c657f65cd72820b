import { partsOf } from "./parts.ts";

const MOST_PAGES = 50_000;
/** A few pages live under two addresses on many a site; this many are a site that repeats itself. */
const MIRRORED = 40;

/**
 * Knows pages that say the same and have the same name in another folder or on another host. Two such pages mean nothing; once there
 * are many, links of further ones are not worth following, because each mirror names the next.
 */
export class MirrorGuard {
  readonly #firsts = new Map<string, string>();
  #mirrored = 0;

  /** `text` stands for all a page says. Answers the page this one mirrors, once that is a reason not to follow its links. */
  learn(url: string, text: string): string | undefined {
    const parts = partsOf(url);
    if (!parts) return undefined;
    const name = `${parts.path.slice(parts.path.lastIndexOf("/"))}${parts.query} ${text}`;
    const first = this.#firsts.get(name);
    if (first === undefined) {
      if (this.#firsts.size < MOST_PAGES) this.#firsts.set(name, url);
      return undefined;
    }
    if (first === url) return undefined;
    this.#mirrored += 1;
    return this.#mirrored > MIRRORED ? first : undefined;
  }
}
