import { addressWords, plainPath } from "./address.ts";
import { Evidence } from "./evidence.ts";
import type { Glossary, Sights } from "./glossary.ts";
import type { LinkSight } from "./scorer.ts";
import type { LinkRows } from "./weigh.ts";

/** Shorter texts are read as quickly as they are remembered; longer ones hardly come twice. */
const [SHORTEST, LONGEST] = [60, 1000];
const MOST = 2000;

const NOTHING = 0;
const [TEXT, PATH, HOST, HEADING, CONTEXT] = [1, 2, 3, 4, 5];
const FIRST_KEPT = 6;

/** What the places of a link say. Pages of a site say the same things in the same places, so that longer texts are remembered; what is remembered is bounded. */
export class LinkReading {
  readonly evidence: Evidence;
  readonly #glossary: Glossary;
  readonly #kept = new Map<string, number>();
  /** The host whose words stand in its row, from its scheme to the slash behind it. */
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
      // A link that stands alone is all there is around it.
      context: context ? this.#read(context, CONTEXT) : called,
    };
  }

  /** Running text has no places. */
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
    // Rows that were forgotten are written over from the first on: what this link has just been told stays until long after it.
    if (this.#kept.size >= MOST) this.#kept.clear();
    const next = FIRST_KEPT + this.#kept.size;
    this.#kept.set(copyOf(text), next);
    return this.#gather(this.#glossary.look(text), next);
  }

  /** Links that follow each other mostly stand under the same heading. */
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

/** A text that was cut out of a page would keep the page. */
const copyOf = (text: string): string => ` ${text}`.slice(1);
