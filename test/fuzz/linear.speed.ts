import { describe, expect, test } from "vitest";
import { outlineOf } from "../../src/analysis/context/index.ts";
import { blockHashes } from "../../src/analysis/dedupe/index.ts";
import { parseDocument, parseMime, parseSitemap } from "../../src/analysis/parse/index.ts";
import { type Content, judgePlaces, NoiseMemory, placeKeysIn, placesBetween } from "../../src/analysis/recrawl/index.ts";
import { mayVisit, parseRobots } from "../../src/analysis/robots/index.ts";
import { openScorer } from "../../src/analysis/score/index.ts";
import { words as indexWords } from "../../src/analysis/search/index.ts";
import { compilePatterns, keyOf, suspect } from "../../src/analysis/url/index.ts";

const ROUNDS = 9;
const DOUBLINGS = 25;
const CAP = 500 * 1024;
const WARM_UP = 3;
/** Below this a clock measures the machine, not the program. */
const LEAST = 0.5;
const DOUBLING = 2.2;
/** Documents make many objects, and the collector has its share: what is not linear is at 4. */
const ROUGHLY = 3;

const medianOf = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

/** Milliseconds of processor time: what else the machine does is nobody's fault here. */
function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds, of rounds in which each is measured in its turn; `prepare` is not measured. */
function measure(rounds: number, prepares: readonly (() => () => unknown)[]): number[][] {
  const times = prepares.map((): number[] => []);
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [index, prepare] of prepares.entries()) {
      const work = prepare();
      const start = now();
      work();
      if (round >= 0) times[index]!.push(now() - start);
    }
  }
  return times;
}

/** How much longer twice the input takes: the least of many rounds over the least, because what a busy machine adds is never less than nothing. */
function doubling(half: () => () => unknown, whole: () => () => unknown): number {
  const [one, two] = measure(DOUBLINGS, [half, whole]).map((times) => Math.min(...times)) as [number, number];
  return two < LEAST ? 1 : two / one;
}

type Line = (n: number, bytes: number) => string;

const fill = (line: Line, bytes: number): Buffer => {
  const lines = ["User-agent: *"];
  for (let size = 0, n = 0; size < bytes; n++) {
    lines.push(line(n, bytes));
    size += lines.at(-1)!.length + 1;
  }
  return Buffer.from(lines.join("\n").slice(0, bytes));
};

const hostile: [string, Line, string][] = [
  ["stars between letters of the URL", (n) => `Disallow: /*a*a*a*a*a*a*a*b${n}`, `/${"a".repeat(2000)}`],
  ["prefixes that nearly fit", (n) => `Disallow: /${"a".repeat(1 + (n % 1990))}b`, `/${"a".repeat(2000)}`],
  ["one rule that fills the file", (n, bytes) => `Disallow: /${"*a".repeat(n === 0 ? 0.4 * bytes : 10)}`, `/${"a".repeat(2000)}b`],
  ["pieces that overlap themselves", (n) => `Disallow: /*abab*abababab*ababababac${n}`, `/${"ab".repeat(1000)}`],
  ["anchors behind stars", (n) => `Disallow: /*${"x".repeat(n % 50)}*y$`, `/${"x".repeat(2000)}`],
  ["escapes", (n) => `Disallow: /%61%2A%${(n % 256).toString(16)}*%E4%zz`, `/${"%61%e4".repeat(330)}`],
  ["allow against disallow", (n) => `${n % 2 ? "Allow" : "Disallow"}: /*${n % 7}*${n % 5}*${n % 3}*`, `/${"0123456".repeat(285)}`],
  ["short rules without end", (n) => `Disallow: /${n}`, `/${"1".repeat(2000)}`],
  ["agents without end", (n) => `User-agent: bot${n}`, `/${"1".repeat(2000)}`],
];

describe("robots.txt at its cap", () => {
  test.each(hostile)("%s", (name, line, path) => {
    const [half, whole] = [fill(line, CAP / 2), fill(line, CAP)];
    const url = `http://a.test${path}`;
    const parse = (file: Buffer) => () => () => parseRobots(file, "nuthatch");
    const decide = (file: Buffer) => () => {
      const rules = parseRobots(file, "nuthatch");
      // What is made ready at the first question is measured apart.
      mayVisit(rules, "http://a.test/");
      return () => mayVisit(rules, url);
    };
    const first = () => {
      const rules = parseRobots(whole, "nuthatch");
      return () => mayVisit(rules, url);
    };
    const [parsed, asked, decided] = measure(ROUNDS, [parse(whole), first, decide(whole)]).map(medianOf) as [number, number, number];
    const growth = [doubling(parse(half), parse(whole)), doubling(decide(half), decide(whole))];
    const shown = [parsed, asked, decided, ...growth].map((value) => value.toFixed(2));
    process.stdout.write(
      `${name}: parse ${shown[0]} ms, first decision ${shown[1]} ms, others ${shown[2]} ms, doubling × ${shown[3]}, × ${shown[4]}\n`,
    );
    expect(parsed).toBeLessThanOrEqual(100);
    expect(asked).toBeLessThanOrEqual(50);
    expect(decided).toBeLessThanOrEqual(50);
    for (const factor of growth) expect(factor).toBeLessThanOrEqual(DOUBLING);
  });
});

/** Links of pages that a host of such a file could serve, decided one after the other. */
describe("20,000 links against a robots.txt at its cap take a second at most", () => {
  const letters = "a".repeat(300);
  test.each([
    ["rules that all but fit", (n) => `Disallow: /*a*a*a*a*a*a*a*a*a*b${n}$`, (n) => `/x${n}/${letters}`],
    ["rules that some links fit", (n) => `Disallow: /*a*a*a*a*a*a*a*a*a*b${n}$`, (n) => `/${letters}b${n}`],
    ["rules of single letters", (n) => `Disallow: /*${[...String(n)].join("*")}*z`, (n) => `/${"1234567890".repeat(30)}${n}`],
    ["pieces that overlap themselves", (n) => `Disallow: /*${"ab".repeat(1 + (n % 400))}b*abababab`, (n) => `/${"ab".repeat(150)}${n}`],
    ["prefixes of each other", (n) => `Disallow: /${"a".repeat(n % 1000)}`, (n) => `/${letters}${n}`],
  ] as [string, Line, (n: number) => string][])("%s", (_, line, path) => {
    const links = Array.from({ length: 20_000 }, (_, n) => `http://a.test${path(n)}`);
    const decide = () => {
      const rules = parseRobots(fill(line, CAP), "nuthatch");
      return () => links.map((url) => mayVisit(rules, url).allowed);
    };
    expect(Math.min(...measure(ROUNDS, [decide])[0]!)).toBeLessThanOrEqual(1_000);
  });
});

const html = (text: string) => () =>
  parseDocument({ bytes: Buffer.from(text), url: "http://a.test/", contentType: "text/html", as: "page", embeddedLinks: true });

const markdown = (text: string) => () =>
  parseDocument({ bytes: Buffer.from(text), url: "http://a.test/", contentType: "text/markdown", as: "page", embeddedLinks: true });

const MEGABYTE = 2 ** 20;

/** Sizes at which a copy for each link is told from none; at a few kilobytes it is not. */
const SIZES = [MEGABYTE / 2, MEGABYTE, 2 * MEGABYTE] as const;
const MOST_TRIES = 8;
/** What is quadratic is at 4. */
const SURE = 2.7;
/** Of a size that takes longer than any Markdown of ours does, one try says enough. */
const FAR_TOO_LONG = 20_000;

/**
 * How much longer twice the input takes, at the worst of two doublings. What a busy machine and the collector add is never less than
 * nothing, so the least of several tries is taken, each size in its turn; no more are made than it takes to be sure.
 */
function worstDoubling(works: readonly (() => unknown)[]): number {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  let worst = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < MOST_TRIES && (worst > SURE || tries < WARM_UP); tries++) {
    for (const [at, work] of works.entries()) {
      const start = now();
      work();
      least[at] = Math.min(least[at]!, now() - start);
      if (least[at]! > FAR_TOO_LONG) return Number.POSITIVE_INFINITY;
    }
    worst = Math.max(...least.slice(1).map((time, at) => time / Math.max(least[at]!, LEAST)));
  }
  return worst;
}

describe("Markdown of half a megabyte, one and two: twice the input takes about twice the time", () => {
  test.each(["[a](b) ", "![](", "[", "[[[a](b)](c)](d) ", "[a](<b> ", "[a]: http://b.c\n", "<http://a.b> ", "- a\n", "a\n\n"])(
    "%j",
    (shape) => {
      const factor = worstDoubling(SIZES.map((size) => markdown(shape.repeat(size / shape.length))));
      process.stdout.write(`${JSON.stringify(shape)}: doubling × ${factor.toFixed(2)}\n`);
      expect(factor).toBeLessThanOrEqual(ROUGHLY);
    },
  );
});

const moments = { before: 0, now: 1 };

/** A page of blocks and links, each written by its number. */
const content = (n: number, block: (at: number) => string, link?: (at: number) => Partial<Content["links"][number]>): Content => ({
  title: "",
  blocks: Array.from({ length: n }, (_, at) => block(at)),
  links: link ? Array.from({ length: n }, (_, at) => ({ url: "http://a.test/", text: "a", heading: "", block: "", ...link(at) })) : [],
});

/** A word of letters alone, another for each number. */
const word = (at: number) => `w${[...String(at)].map((digit) => "abcdefghij"[Number(digit)]).join("")}`;

/** Two readings of a page that differ in everything but its words. */
const twoReadings = (n: number) => [1, 2].map((sign) => content(n, (at) => `${word(at)} is ${sign}${at}`)) as [Content, Content];

const nothingKnown = () => ({ template: new NoiseMemory(), site: new NoiseMemory() });

describe("twice the input takes about twice the time", () => {
  test.each([
    ["open elements", (n: number) => html("<div>".repeat(n))],
    ["formatting that never closes", (n: number) => html("<b><i><a href=x>".repeat(n))],
    ["links", (n: number) => html('<a href="/x?a=b#c">y</a>'.repeat(n))],
    ["links without an end", (n: number) => html("<a href=".repeat(n))],
    ["comments without an end", (n: number) => html("<!--".repeat(n))],
    ["attributes on one element", (n: number) => html(`<a ${"b=c ".repeat(n)}>`)],
    ["one long attribute", (n: number) => html(`<a href="${"x".repeat(20 * n)}">`)],
    ["ampersands", (n: number) => html("&am".repeat(5 * n))],
    ["script without an end", (n: number) => html(`<script>${"</scrip".repeat(3 * n)}`)],
    ["JSON in a script", (n: number) => html(`<script type="application/json">${'{"a":["/b",'.repeat(n)}</script>`)],
    ["state in a script", (n: number) => html(`<script>${'__a_STATE__={"url":"/b"},__'.repeat(n)}</script>`)],
    ["names in a script", (n: number) => html(`<script>__${"a".repeat(10 * n)}${"__aSTATE".repeat(n)}={</script>`)],
    ["numbered references", (n: number) => html(`<script type="application/json">[["Ref",1]${',{"a":1,"b":2}'.repeat(n)}]</script>`)],
    ["metas", (n: number) => html('<meta name="robots" content="a,b">'.repeat(n))],
    ["bases", (n: number) => html('<base href="x/y"><a href=z>'.repeat(n))],
    ["white space", (n: number) => html(`<p>${" \n\t".repeat(10 * n)}x`)],
    [
      "entities in XML",
      (n: number) => () => parseSitemap(Buffer.from(`<!DOCTYPE x [${'<!ENTITY a "&b;">'.repeat(n)}]><urlset>`), "http://a.test/s.xml"),
    ],
    [
      "entries",
      (n: number) => () => parseSitemap(Buffer.from(`<urlset>${"<url><loc>http://a.test/x</loc></url>".repeat(n)}`), "http://a.test/s.xml"),
    ],
    ["open CDATA", (n: number) => () => parseSitemap(Buffer.from(`<urlset><url><loc>${"<![CDATA[".repeat(2 * n)}`), "http://a.test/s.xml")],
    ["a content type", (n: number) => () => parseMime(`text/html${';a="b\\'.repeat(3 * n)}`)],
    [
      "a URL",
      (n: number) => () =>
        keyOf(`http://a.test/${"%41%zz/../b".repeat(n)}`.slice(0, 60_000), { stripParams: ["utm_*"], sortParams: true, maxParams: 3 }),
    ],
    ["a query", (n: number) => () => suspect(`http://a.test/?${"a&".repeat(n)}`, "http://a.test/?a=b")],
    ["words of a text", (n: number) => () => openScorer(["a b", "budget"]).matchText("a b ä budgeting ".repeat(n))],
    [
      "words of a link",
      (n: number) => () => openScorer(["a b"]).match({ text: "a ".repeat(n), url: `?${";a=:%3A".repeat(n)}`, context: "ä–".repeat(n) }),
    ],
    ["marks on one letter", (n: number) => () => openScorer(["a b"]).matchText(`a${"\u0315\u0300\u05ae".repeat(n)}`)],
    ["marks on one letter, to be found by", (n: number) => () => indexWords(`a${"\u0315\u0300\u05ae".repeat(n)}`)],
    ["marks at the end of a sentence", (n: number) => () => blockHashes([`${"!".repeat(10 * n)}x`])],
    ["escaped brackets", (n: number) => () => outlineOf("\\[".repeat(10 * n))],
    [
      "a row of numbers",
      (n: number) => {
        const page = content(1, () => "1 ".repeat(2 * n));
        return () => placeKeysIn(page);
      },
    ],
    [
      "a list of links that are all others",
      (n: number) => {
        const pages = ["a", "b"].map((sign) =>
          content(
            n,
            (at) => sign + at,
            (at) => ({ text: sign + at, block: sign + at }),
          ),
        );
        return () => placesBetween(pages[0]!, pages[1]!, "text", moments);
      },
    ],
    [
      "links under a heading each",
      (n: number) => {
        const pages = ["a", "b"].map((sign) => content(n / 2, String, (at) => ({ text: word(at) + sign, heading: `h${at}` })));
        return () => placesBetween(pages[0]!, pages[1]!, "links", moments);
      },
    ],
    [
      "links that differ by a value",
      (n: number) => {
        const pages = ["a", "b"].map((sign) => content(n / 2, String, (at) => ({ url: `http://a.test/?x=${sign}${at}` })));
        return () => placesBetween(pages[0]!, pages[1]!, "links", moments);
      },
    ],
    [
      "a link of equals signs",
      (n: number) => {
        const pages = ["a", "b"].map((sign) =>
          content(
            1,
            () => "a",
            () => ({ url: `http://a.test/?${"=".repeat(n)}#${sign}`, block: "a" }),
          ),
        );
        return () => placesBetween(pages[0]!, pages[1]!, "links", moments);
      },
    ],
    [
      "places seen at a second look",
      (n: number) => {
        const places = placesBetween(...twoReadings(n / 8), "text", moments);
        return () => judgePlaces(places, nothingKnown(), places);
      },
    ],
    ["a path", (n: number) => () => suspect(`http://a.test/${"a/".repeat(n)}`, "http://a.test/a/")],
  ] as [string, (n: number) => () => unknown][])("%s", (_, make) => {
    const SIZE = 16_000;
    const factor = doubling(
      () => make(SIZE),
      () => make(2 * SIZE),
    );
    expect(factor).toBeLessThanOrEqual(ROUGHLY);
    expect(medianOf(measure(ROUNDS, [() => make(2 * SIZE)])[0]!)).toBeLessThan(1_000);
  });
});

describe("patterns", () => {
  test.each([
    ["nested repeats", ["/(a+)+b/"], "a"],
    ["choices that overlap", ["/(a|aa)+$/", "/(.*a){20}x/"], "a"],
    ["places that cannot be told apart", ["/[ab]*a[ab]{200}c/"], "ab"],
    ["globs with many stars", ["*a".repeat(100), "**a**a**b"], "a"],
  ])("%s", (_, patterns, piece) => {
    const matching = compilePatterns(patterns);
    const ask = (length: number) => {
      const url = `http://a.test/${piece.repeat(length / piece.length)}`;
      return () => () => matching(url, url.slice(13));
    };
    expect(doubling(ask(20_000), ask(40_000))).toBeLessThan(ROUGHLY);
  });
});
