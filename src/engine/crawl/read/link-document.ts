import type { ParsedLink } from "../../../analysis/parse/index.ts";
import { hash64 } from "../../../analysis/url/index.ts";
import type { Hash64, Link, LinkKind, LinkTable } from "../../../core/records.ts";
import { compressLines, decompressLines, MAX_SHARED_LENGTH } from "./line-compression.ts";
import { fullUrl } from "./link-table.ts";
import { packText, unpackText } from "./pack.ts";

// URLs and cleaned texts contain no control characters, so a field is one line and a column ends with NUL: cheaper than JSON, and it
// compresses better.
const SEPARATOR = "\0";
/** Marks a repeated value: the heading of the previous link, or a block that equals the link's text. */
const REPEATED = "\x01";

const kinds: readonly LinkKind[] = ["a", "area", "iframe", "next", "alternate", "canonical", "refresh", "embedded", "feed", "text"];
const letters = new Map(kinds.map((kind, place) => [kind, String.fromCharCode(97 + place)]));

/** First byte of a document whose URLs are stored separately by shared prefixes. Any other first byte belongs to `packText`. */
const SHARED_PREFIX_FORMAT = 2;

/**
 * All links of one page version as one packed document, column by column: a database row per link would cost ten times as much as the page
 * itself. URLs and keys come from the link table.
 */
export function packLinks(links: readonly ParsedLink[], { origin, urls, keys }: LinkTable): Uint8Array {
  let kindLetters = "";
  let lastHeading = "";
  const texts = new Column();
  const titles = new Column();
  const headings = new Column();
  const blocks = new Column();
  const rels = new Column();
  for (const { kind, text, title, heading, block, rel } of links) {
    kindLetters += letters.get(kind)!;
    texts.add(text);
    titles.add(title);
    headings.add(heading === lastHeading && heading !== "" ? REPEATED : heading);
    blocks.add(block === text && block !== "" ? REPEATED : block);
    rels.add(rel);
    lastHeading = heading;
  }
  const others = [keys, kindLetters, texts.text, titles.text, headings.text, blocks.text, rels.text].join(SEPARATOR);
  const shared = others.length + urls.length < MAX_SHARED_LENGTH ? compressLines(urls) : undefined;
  return shared ? withUrls(shared, origin + SEPARATOR + SEPARATOR + others) : packText(origin + SEPARATOR + urls + SEPARATOR + others);
}

function withUrls(urls: Uint8Array, others: string): Uint8Array {
  const rest = Buffer.from(others);
  const document = new Uint8Array(3 + urls.length + rest.length);
  document[0] = SHARED_PREFIX_FORMAT;
  document[1] = urls.length & 0xff;
  document[2] = urls.length >> 8;
  document.set(urls, 3);
  document.set(rest, 3 + urls.length);
  return document;
}

function columnsOf(packed: Uint8Array): string[] {
  if (packed[0] !== SHARED_PREFIX_FORMAT) return unpackText(packed).split(SEPARATOR);
  const end = 3 + packed[1]! + (packed[2]! << 8);
  const columns = Buffer.from(packed.subarray(end)).toString().split(SEPARATOR);
  columns[1] = decompressLines(packed.subarray(3, end));
  return columns;
}

/** Trailing empty fields are not written, so an empty column takes no space. */
class Column {
  readonly #fields: string[] = [];
  #count = 0;

  add(field: string): void {
    this.#count += 1;
    if (field === "") return;
    while (this.#fields.length < this.#count - 1) this.#fields.push("");
    this.#fields.push(field);
  }

  get text(): string {
    const fields = this.#fields;
    if (fields.length === 0) return "";
    const text = fields.join("\n");
    // A field with a line break would shift all fields after it.
    return text.includes(SEPARATOR) || countOf(text, "\n") >= fields.length ? inOneLine(fields) : text;
  }
}

const inOneLine = (fields: readonly string[]) => fields.map((field) => field.replace(/[\n\0]/g, " ")).join("\n");

function countOf(text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** All links of a document, or those at the wanted positions. */
export function unpackLinks(packed: Uint8Array, seed: Hash64, wanted?: { has(position: number): boolean }): Link[] {
  const columns = columnsOf(packed);
  const [origin = "", , , kindLetters = ""] = columns;
  const [, urls = [], keys = [], , texts = [], titles = [], headings = [], blocks = [], rels = []] = columns.map((text) =>
    text === "" ? [] : text.split("\n"),
  );
  const links: Link[] = [];
  let lastHeading = "";
  for (const [position, line] of urls.entries()) {
    const heading = headings[position] ?? "";
    if (heading !== REPEATED) lastHeading = heading;
    if (wanted && !wanted.has(position)) continue;
    const url = fullUrl(origin, line);
    const key = keys[position] || url;
    const text = texts[position] ?? "";
    const block = blocks[position] ?? "";
    links.push({
      url,
      key,
      hash: hash64(key, seed),
      kind: kinds[kindLetters.charCodeAt(position) - 97]!,
      text,
      title: titles[position] ?? "",
      heading: lastHeading,
      block: block === REPEATED ? text : block,
      rel: rels[position] ?? "",
      position,
    });
  }
  return links;
}
