import { EvidenceTable } from "./evidence.ts";
import type { Glossary, WordList } from "./glossary.ts";
import type { LinkRows } from "./keyword-match.ts";
import type { LinkSight } from "./scorer.ts";
import { plainPathStart, urlWords } from "./url-words.ts";

/** Only texts in this range of lengths are cached: shorter ones are read as quickly, and longer ones hardly repeat. */
const [MIN_CACHED_LENGTH, MAX_CACHED_LENGTH] = [60, 1000];
const MAX_CACHED = 2000;

const EMPTY_ROW = 0;
const [TEXT, PATH, HOST, HEADING, CONTEXT] = [1, 2, 3, 4, 5];
const FIRST_CACHED_ROW = 6;

/**
 * Collects the evidence from each part of a link. Pages of a site repeat the same texts in the same parts, so longer texts are cached, up
 * to a limit.
 */
export class LinkReader {
  readonly evidence: EvidenceTable;
  readonly #glossary: Glossary;
  readonly #cachedRows = new Map<string, number>();
  /** The origin (with trailing slash) whose words are in the host row. */
  #origin = "";
  #heading = "";

  constructor(glossary: Glossary) {
    this.#glossary = glossary;
    this.evidence = new EvidenceTable(glossary);
    for (const row of [EMPTY_ROW, HOST, HEADING]) this.#writeRow(glossary.lookUp(""), row);
  }

  read({ text, url, title = "", heading = "", context = "" }: LinkSight): LinkRows {
    const textRow = this.#read(title && title !== text ? `${text} ${title}` : text, TEXT);
    this.#readAddress(url);
    return {
      text: textRow,
      path: PATH,
      host: HOST,
      heading: this.#readHeading(heading),
      // Without a surrounding block the link's own text is its context.
      context: context ? this.#read(context, CONTEXT) : textRow,
    };
  }

  /** Reads running text, which has no parts. */
  readText(head: WordList): LinkRows {
    this.#writeRow(head, TEXT);
    return { text: TEXT, path: EMPTY_ROW, host: EMPTY_ROW, heading: EMPTY_ROW, context: TEXT };
  }

  #writeRow(sights: WordList, row: number): number {
    this.evidence.writeRow(sights, row);
    return row;
  }

  #read(text: string, row: number): number {
    if (text.length < MIN_CACHED_LENGTH || text.length > MAX_CACHED_LENGTH) return this.#writeRow(this.#glossary.lookUp(text), row);
    const cached = this.#cachedRows.get(text);
    if (cached !== undefined) return cached;
    // Rows are reused from the first on. With 2000 rows, those read for the current link are not overwritten before it is scored.
    if (this.#cachedRows.size >= MAX_CACHED) this.#cachedRows.clear();
    const next = FIRST_CACHED_ROW + this.#cachedRows.size;
    this.#cachedRows.set(copyOf(text), next);
    return this.#writeRow(this.#glossary.lookUp(text), next);
  }

  /** Consecutive links are usually under the same heading, so its row is kept. */
  #readHeading(heading: string): number {
    if (heading === this.#heading) return HEADING;
    this.#heading = heading;
    return this.#writeRow(this.#glossary.lookUp(heading), HEADING);
  }

  #readAddress(url: string): void {
    const start = plainPathStart(url);
    if (start === undefined) {
      const { host, path } = urlWords(url);
      this.#origin = "";
      this.#writeRow(this.#glossary.lookUp(host), HOST);
      this.#writeRow(this.#glossary.lookUp(path), PATH);
      return;
    }
    if (this.#origin.length !== start + 1 || !url.startsWith(this.#origin)) {
      this.#origin = url.slice(0, start + 1);
      this.#writeRow(this.#glossary.lookUp(urlWords(this.#origin).host), HOST);
    }
    this.#writeRow(this.#glossary.lookUpPath(url.slice(start)), PATH);
  }
}

/** Copies the text, because a slice would keep the whole page in memory. */
const copyOf = (text: string): string => ` ${text}`.slice(1);
