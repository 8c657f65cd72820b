import { addressWords, plainPath } from "./address.ts";
import { Evidence } from "./evidence.ts";
import type { Glossary, Sights } from "./glossary.ts";
import type { LinkSight } from "./scorer.ts";
import type { LinkRows } from "./weigh.ts";

/** Only texts in this range of lengths are cached: shorter ones are read as quickly, and longer ones hardly repeat. */
const [SHORTEST, LONGEST] = [60, 1000];
const MOST = 2000;

const NOTHING = 0;
const [TEXT, PATH, HOST, HEADING, CONTEXT] = [1, 2, 3, 4, 5];
const FIRST_KEPT = 6;

/**
 * Collects the evidence from each part of a link. Pages of a site repeat the same texts in the same parts, so longer texts are cached, up
 * to a limit.
 */
export class LinkReading {
  readonly evidence: Evidence;
  readonly #glossary: Glossary;
  readonly #kept = new Map<string, number>();
  /** The origin (with trailing slash) whose words are in the host row. */
  #origin = "";
  #heading = "";

  constructor(glossary: Glossary) {
    this.#glossary = glossary;
    this.evidence = new Evidence(glossary);
    for (const row of [NOTHING, HOST, HEADING]) this.#gather(glossary.look(""), row);
  }

  read({ text, url, title = "", heading = "", context = "" }: LinkSight): LinkRows {
    const called = this.#read(title && title !== text ? `${text} ${title}` : text, TEXT);
    this.#readAddress(url);
    return {
      text: called,
      path: PATH,
      host: HOST,
      heading: this.#readHeading(heading),
      // Without a surrounding block the link's own text is its context.
      context: context ? this.#read(context, CONTEXT) : called,
    };
  }

  /** Reads running text, which has no parts. */
  readHead(head: Sights): LinkRows {
    this.#gather(head, TEXT);
    return { text: TEXT, path: NOTHING, host: NOTHING, heading: NOTHING, context: TEXT };
  }

  #gather(sights: Sights, row: number): number {
    this.evidence.gather(sights, row);
    return row;
  }

  #read(text: string, row: number): number {
    if (text.length < SHORTEST || text.length > LONGEST) return this.#gather(this.#glossary.look(text), row);
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    // Rows are reused from the first on. With 2000 rows, those read for the current link are not overwritten before it is scored.
    if (this.#kept.size >= MOST) this.#kept.clear();
    const next = FIRST_KEPT + this.#kept.size;
    this.#kept.set(copyOf(text), next);
    return this.#gather(this.#glossary.look(text), next);
  }

  /** Consecutive links are usually under the same heading, so its row is kept. */
  #readHeading(heading: string): number {
    if (heading === this.#heading) return HEADING;
    this.#heading = heading;
    return this.#gather(this.#glossary.look(heading), HEADING);
  }

  #readAddress(url: string): void {
    const start = plainPath(url);
    if (start === undefined) {
      const { host, path } = addressWords(url);
      this.#origin = "";
      this.#gather(this.#glossary.look(host), HOST);
      this.#gather(this.#glossary.look(path), PATH);
      return;
    }
    if (this.#origin.length !== start + 1 || !url.startsWith(this.#origin)) {
      this.#origin = url.slice(0, start + 1);
      this.#gather(this.#glossary.look(addressWords(this.#origin).host), HOST);
    }
    this.#gather(this.#glossary.lookPath(url.slice(start)), PATH);
  }
}

/** Copies the text, because a slice would keep the whole page in memory. */
const copyOf = (text: string): string => ` ${text}`.slice(1);
