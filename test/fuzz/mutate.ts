/** Breaks pages the way the web does: cut off, repeated, mixed up, with pieces of markup where none belong. */
export interface Mutation {
  readonly kind: "cut" | "drop" | "repeat" | "insert" | "swap" | "double" | "replace";
  /** Places and lengths as shares of the page, 0–1. */
  readonly at: number;
  readonly to: number;
  readonly piece: number;
}

export const kinds: readonly Mutation["kind"][] = ["cut", "drop", "repeat", "insert", "swap", "double", "replace"];

/** What means something to a reader of pages, and what has no end. */
const pieces = [
  ...`< > " ' & = / </ <!-- --> <![CDATA[ ]]> <script> </script> <script~type="application/ld+json"> { } [ ] "@id":"#a", "@type":"NewsArticle", , \\ \\ud800 \u0000 \u202e \ufeff <svg> </svg> <template> <math> <table> <td> </table> </div> <p> <h1> </h1> <title> <article> <main> <time> <noscript> <textarea> <style> <iframe> <plaintext> <a~href="http://[/"> itemscope itemprop="author" itemref="more" typeof="Person" property="name" content="99999-99-99" datetime="275760-09-14T00:00:00Z" 2024-13-45 by~By~von &#xD800; &#0; &amp;amp; | - javascript:alert(1) data:, //host http:/// %zz __proto__ constructor`
    .split(" ")
    .map((piece) => piece.replaceAll("~", " ")),
  " ",
  "\n",
  "a".repeat(5000),
  " ".repeat(5000),
  "<div>".repeat(600),
  "</div>".repeat(600),
  "[".repeat(2000),
  '{"a":'.repeat(2000),
  "0".repeat(400),
];

export function mutate(page: string, mutations: readonly Mutation[]): string {
  return mutations.reduce((text, mutation) => mutateOnce(text, mutation), page);
}

function mutateOnce(page: string, { kind, at, to, piece }: Mutation): string {
  const start = Math.floor(Math.min(at, to) * page.length);
  const end = Math.floor(Math.max(at, to) * page.length);
  const short = Math.min(end, start + 300);
  const markup = pieces[Math.floor(piece * pieces.length)] ?? "";
  switch (kind) {
    case "cut":
      return page.slice(0, Math.max(start, end));
    case "drop":
      return page.slice(0, start) + page.slice(short);
    case "repeat":
      return page.slice(0, start) + page.slice(start, short).repeat(20) + page.slice(short);
    case "insert":
      return page.slice(0, start) + markup + page.slice(start);
    case "swap":
      return page.slice(0, start) + page.slice(short, short + 200) + page.slice(start, short) + page.slice(short + 200);
    case "double":
      return page.slice(0, end) + page.slice(start, start + 20_000) + page.slice(end);
    case "replace":
      return page.slice(0, start) + markup + page.slice(start + 1);
    default:
      return kind satisfies never;
  }
}
