import { describe, expect, test } from "vitest";
import { type Content, placesBetween } from "./changed-places.ts";
import { judgePlaces } from "./noise.ts";
import { NoiseMemory } from "./noise-memory.ts";

const at = { before: Date.UTC(2027, 4, 3, 12), now: Date.UTC(2027, 4, 10, 12) };
const same = { before: at.now, now: at.now };

/** Blocks separated by bars; a block in brackets consists of one link. */
function content(text: string): Content {
  const lines = text.split("|").map((line) => line.trim());
  const blocks = lines.map((line) => line.replace(/^\[(.*)\]$/, "$1"));
  const links = lines.flatMap((line, place) =>
    line.startsWith("[") ? [{ url: `https://a.test/${blocks[place]}`, text: blocks[place]!, heading: "", block: blocks[place]! }] : [],
  );
  return { title: "", blocks, links };
}

const between = (before: string, now: string, moments = at) => placesBetween(content(before), content(now), "both", moments);

/** The verdicts on a change, after looks at other pages of the template differed like this. */
function verdicts(before: string, now: string, looks: readonly [string, string][] = []): string[] {
  const known = { template: new NoiseMemory(), site: new NoiseMemory() };
  for (const [first, second] of looks) for (const place of between(first, second, same)) known.template.recordMove(place);
  return [...judgePlaces(between(before, now), known).values()];
}

const counter: [string, string] = ["Visitors: 1,204 so far", "Visitors: 1,207 so far"];
const banner: [string, string] = ["[Swim lessons]|News|Text", "[Free parking]|News|Text"];

describe("beside a banner that comes and goes", () => {
  const survey = "Help us improve this site.";
  const looks: [string, string][] = [
    [`Top|${survey}|News`, "Top|News"],
    ["Top|News", `Top|${survey}|News`],
  ];

  test("the banner itself is noise, and a notice in its place is not", () => {
    expect(verdicts("Top|News", `Top|${survey}|News`, looks)).toEqual(["noise"]);
    expect(verdicts("Top|News", "Top|The mill is closed.|News", looks)).toEqual(["doubt"]);
  });

  test("a new link under the same heading is told, though its block is not compared", () => {
    const page = (...names: string[]): Content => ({
      title: "",
      blocks: ["News"],
      links: names.map((name) => ({ url: `https://a.test/${name}`, text: name, heading: "", block: name })),
    });
    const known = { template: new NoiseMemory(), site: new NoiseMemory() };
    const [shown, hidden] = [page("about", "survey"), page("about")];
    for (const [first, second] of [
      [shown, hidden],
      [hidden, shown],
    ] as const)
      for (const place of placesBetween(first, second, "both", same)) known.template.recordMove(place);
    const verdict = (...names: string[]) => [...judgePlaces(placesBetween(page("about"), page(...names), "both", at), known).values()];
    expect(verdict("about", "survey")).toEqual(["noise"]);
    expect(verdict("about", "refinery")).toEqual(["doubt"]);
  });
});

describe("what differs", () => {
  test.each([
    ["a counter that was seen to move is noise", "Visitors: 9 so far", "Visitors: 12,001 so far", [counter], ["noise"]],
    ["of a counter that nothing is known of, another look tells", "Visitors: 9 so far", "Visitors: 12 so far", [], ["doubt"]],
    ["a price is no counter, whatever moves elsewhere", "Price: 9 EUR", "Price: 12 EUR", [counter], ["doubt"]],
    ["a word where there was a number is news", "Visitors: 9 so far", "Visitors: none so far", [counter], ["doubt"]],
    ["a word beside a counter counts", "Visitors: 9 so far", "Visitors: 12 so long", [counter], ["doubt"]],
    ["a banner that takes turns is noise", "[Free parking]|News|Text", "[Swim lessons]|News|Text", [banner], ["noise", "noise", "noise"]],
    [
      "a paragraph beside it is not",
      "[Free parking]|News|Text",
      "[Swim lessons]|News|Other words",
      [banner],
      ["noise", "doubt", "noise", "noise"],
    ],
    [
      "nor is a second banner",
      "[Free parking]|News|Text",
      "[Swim lessons]|[Quite new]|News|Text",
      [banner],
      ["doubt", "doubt", "doubt", "doubt"],
    ],
  ] as [string, string, string, [string, string][], string[]][])("%s", (_, before, now, looks, expected) => {
    expect(verdicts(before, now, looks)).toEqual(expected);
  });

  test.each([
    ["today's date is none", "Today is 3 May 2027", "Today is 10 May 2027", 0],
    ["in another spelling too", "Monday, May 3, 2027 at 10:15 am", "Monday, May 10, 2027 at 9:02 am", 0],
    ["a date that is not today's is one", "Meeting: 3 May 2027", "Meeting: 17 May 2027", 1],
    ["what grows older is none", "Posted 3 days ago", "Posted 1 week ago", 0],
    ["what grew younger is one", "Posted 3 days ago", "Posted 2 hours ago", 1],
    ["what grows older is none in other languages", "Neu: vor 3 Tagen", "Neu: vor 2 Wochen", 0],
    ["nor is an age that has become the day itself", "By Anna, 3 weeks ago", "By Anna, 6 February 2026", 0],
    ["a date beside it still counts", "3 weeks ago, for 5 June 2027", "6 February 2026, for 7 June 2027", 1],
    ["and so does a word", "Anna, 3 weeks ago", "Irma, 6 February 2026", 1],
    ["the words around a date still count", "Open on 3 May 2027", "Closed on 10 May 2027", 1],
  ])("%s", (_, before, now, places) => {
    expect(between(before, now)).toHaveLength(places);
  });

  test("a link of a text that leads elsewhere is told, though links under its heading take turns", () => {
    const block = "Read the report of the council";
    const page = (banner: string, target: string): Content => ({
      ...{ title: "", blocks: [block] },
      links: [
        { url: `https://ads.test/${banner}`, text: `Banner ${banner}`, heading: "News", block: "" },
        { url: `https://a.test/${target}`, text: "report", heading: "News", block },
      ],
    });
    const known = { template: new NoiseMemory(), site: new NoiseMemory() };
    for (const place of placesBetween(page("one", "2026"), page("two", "2026"), "both", same)) known.template.recordMove(place);
    const places = placesBetween(page("one", "2026"), page("two", "2027"), "both", at);
    const verdicts = judgePlaces(places, known);
    expect(places.map((place) => [verdicts.get(place), place.now])).toEqual([
      ["doubt", ["https://a.test/2027 report"]],
      ["noise", ["https://ads.test/two Banner two"]],
    ]);
  });

  test("a place that changed on nearly all pages of earlier runs is noise; one that stood still on most is not", () => {
    const [counts, price] = [between("Read 5 times", "Read 6 times"), between("Price: 5 EUR", "Price: 6 EUR")];
    const possible = new Set([...counts, ...price].flatMap(({ keys }) => keys));
    const aRun = (text: string | undefined, run: number) => {
      const memory = new NoiseMemory(text, run);
      for (const page of ["a", "b", "c", "d", "e"]) memory.recordChange(page, page === "a" ? [...counts, ...price] : counts, possible);
      return memory.toText();
    };
    const judged = (text: string | undefined, run: number, before: string, now: string) => {
      const known = { template: new NoiseMemory(text, run), site: new NoiseMemory() };
      return [...judgePlaces(between(before, now), known).values()];
    };
    const [first, second] = [aRun(undefined, 2), aRun(aRun(undefined, 2), 3)];
    expect(judged(first, 3, "Read 41 times", "Read 57 times"), "one run is no evidence").toEqual(["doubt"]);
    expect(judged(second, 3, "Read 41 times", "Read 57 times"), "nor does a run speak for itself").toEqual(["doubt"]);
    expect(judged(second, 4, "Read 41 times", "Read 57 times")).toEqual(["noise"]);
    expect(judged(second, 4, "Price: 41 EUR", "Price: 57 EUR")).toEqual(["doubt"]);
  });

  test("a notice that was changed on all pages at once is news the next time too", () => {
    const memory = new NoiseMemory();
    const places = between("Top|Closed on Monday|News", "Top|Open on Monday again|News");
    for (const page of ["a", "b", "c", "d"]) memory.recordChange(page, places, new Set());
    const known = { template: new NoiseMemory(memory.toText()), site: new NoiseMemory() };
    const verdict = judgePlaces(between("Top|Open on Monday again|News", "Top|Water is shut off|News"), known);
    expect([...verdict.values()]).toEqual(["doubt"]);
  });

  test("what was another each time, and the same on all pages, is noise after three runs; what each page says for itself is not", () => {
    const told = (wordsOf: (page: string, run: number) => string) => {
      const text = (page: string, run: number) => `Canteen|${wordsOf(page, run)}|Library`;
      let kept: string | undefined;
      const verdicts: string[][] = [];
      for (let run = 2; run <= 5; run += 1) {
        const memory = new NoiseMemory(kept, run);
        const known = { template: memory, site: new NoiseMemory() };
        verdicts.push([...judgePlaces(between(text("a", run - 1), text("a", run)), known).values()]);
        for (const page of [..."abcdefgh"]) memory.recordChange(page, between(text(page, run - 1), text(page, run)), new Set());
        kept = memory.toText();
      }
      return verdicts.flat();
    };
    const dishes = ["Soup with bread", "Rice and beans", "Fish for once", "Nothing but salad", "Pasta of some kind"];
    expect(told((_, run) => dishes[run - 1]!)).toEqual(["doubt", "doubt", "doubt", "noise"]);
    expect(told((page, run) => `${dishes[run - 1]!} in hall ${page} ${"abcdefgh".indexOf(page) * 7 + run}`).at(-1)).not.toBe("noise");
  });

  /** A place that differed on all pages in two runs, then on one page in the third. */
  function later(rounds: readonly (readonly string[])[], next: string): string[] {
    let text: string | undefined;
    for (const [round, now] of rounds.slice(1).entries()) {
      const memory = new NoiseMemory(text, round + 2);
      for (const [at, each] of now.entries()) memory.recordChange(`page ${at}`, between(rounds[round]![at]!, each), new Set());
      text = memory.toText();
    }
    const known = { template: new NoiseMemory(text, 9), site: new NoiseMemory() };
    return [...judgePlaces(between(rounds.at(-1)![0]!, next), known).values()];
  }
  const fees = (...all: number[]) => all.map((fee) => `Fee: ${fee} EUR`);

  test.each([
    [
      "what is new each time, and on each page, is news",
      [Array(4).fill("All well"), ["Bridge shut", "Mill sold", "Road done", "Vote held"], ["Rain", "Tax cut", "New tram", "Old wall"]],
      "Snow came",
      "doubt",
    ],
    [
      "a name that was changed on all pages, twice, is news",
      [["Tom"], ["Donna"], ["Ann"]].map((name) => Array(9).fill(name[0])),
      "Leslie",
      "doubt",
    ],
    [
      "what takes turns is noise",
      [
        ["Old", "Free", "Swim"],
        ["Free", "Swim", "Old"],
        ["Swim", "Old", "Free"],
      ],
      "Old",
      "noise",
    ],
    [
      "what is new among it is news",
      [
        ["Old", "Free", "Swim"],
        ["Free", "Swim", "Old"],
        ["Swim", "Old", "Free"],
      ],
      "Mayor resigns",
      "doubt",
    ],
    ["a price of its own on each page is news", [fees(5, 5, 5), fees(7, 8, 9), fees(17, 18, 19)], "Fee: 12 EUR", "doubt"],
    [
      "a number that was changed once is news",
      [Array(4).fill("Read 5 times"), ["Read 7 times", "Read 8 times", "Read 9 times", "Read 6 times"]],
      "Read 12 times",
      "doubt",
    ],
    [
      "one that was changed twice is noise",
      ["Read 5 times", "Read 7 times", "Read 8 times"].map((text) => Array(4).fill(text)),
      "Read 12 times",
      "noise",
    ],
  ] as [string, string[][], string, string][])("where a place changed on all pages: %s", (_, rounds, next, expected) => {
    const page = (text: string) => `Top|${text}|Contact`;
    expect(
      later(
        rounds.map((round) => round.map(page)),
        page(next),
      ),
    ).toEqual([expected]);
  });

  test("a large page with nothing but differences takes no longer than it is large", () => {
    const page = (seed: number) =>
      Array.from({ length: 4000 }, (_, row) => (row % 3 === 0 ? `[entry ${row * seed}]` : `row ${row} of ${row * seed} and ${seed}`)).join(
        "|",
      );
    expect(between(page(3), page(7)).length).toBeGreaterThan(1000);
  });
});

test("what was learned is the same after it was written down", () => {
  const memory = new NoiseMemory();
  for (const place of between(...counter, same)) memory.recordMove(place);
  const again = new NoiseMemory(memory.toText());
  expect(again.toText()).toBe(memory.toText());
  expect(new NoiseMemory().toText()).toBeUndefined();
});
