import { describe, expect, test } from "vitest";
import { judgePlaces } from "./noise.ts";
import { NoiseMemory } from "./noise-memory.ts";
import { type Content, placesBetween } from "./places.ts";

const at = { before: Date.UTC(2027, 4, 3, 12), now: Date.UTC(2027, 4, 10, 12) };
const same = { before: at.now, now: at.now };

/** Blocks by lines; a line in brackets is nothing but a link. */
function content(text: string): Content {
  const lines = text.split("|").map((line) => line.trim());
  const blocks = lines.map((line) => line.replace(/^\[(.*)\]$/, "$1"));
  const links = lines.flatMap((line, place) =>
    line.startsWith("[") ? [{ url: `https://a.test/${blocks[place]}`, text: blocks[place]!, heading: "", block: blocks[place]! }] : [],
  );
  return { title: "", blocks, links };
}

const between = (before: string, now: string, moments = at) => placesBetween(content(before), content(now), "both", moments);

/** What is said of a change, after looks at other pages of the template differed like this. */
function verdicts(before: string, now: string, looks: readonly [string, string][] = []): string[] {
  const known = { template: new NoiseMemory(), site: new NoiseMemory() };
  for (const [first, second] of looks) for (const place of between(first, second, same)) known.template.sawMove(place);
  return [...judgePlaces(between(before, now), known).values()];
}

const counter: [string, string] = ["Visitors: 1,204 so far", "Visitors: 1,207 so far"];
const banner: [string, string] = ["[Swim lessons]|News|Text", "[Free parking]|News|Text"];

describe("what differs", () => {
  test.each([
    ["a counter that was seen to move is noise", "Visitors: 9 so far", "Visitors: 12,001 so far", [counter], ["noise"]],
    ["of a counter that nothing is known of, another look tells", "Visitors: 9 so far", "Visitors: 12 so far", [], ["doubt"]],
    ["a price is no counter, whatever moves elsewhere", "Price: 9 EUR", "Price: 12 EUR", [counter], ["doubt"]],
    ["a word where there was a number is news", "Visitors: 9 so far", "Visitors: none so far", [counter], ["doubt"]],
    ["a word beside a counter counts", "Visitors: 9 so far", "Visitors: 12 so long", [counter], ["doubt"]],
    ["a banner that takes turns is noise", "[Free parking]|News|Text", "[Swim lessons]|News|Text", [banner], ["noise", "noise"]],
    ["a paragraph beside it is not", "[Free parking]|News|Text", "[Swim lessons]|News|Other words", [banner], ["noise", "doubt", "noise"]],
    ["nor is a second banner", "[Free parking]|News|Text", "[Swim lessons]|[Quite new]|News|Text", [banner], ["doubt", "doubt"]],
  ] as [string, string, string, [string, string][], string[]][])("%s", (_, before, now, looks, expected) => {
    expect(verdicts(before, now, looks)).toEqual(expected);
  });

  test.each([
    ["today's date is none", "Today is 3 May 2027", "Today is 10 May 2027", 0],
    ["in another spelling too", "Monday, May 3, 2027 at 10:15 am", "Monday, May 10, 2027 at 9:02 am", 0],
    ["a date that is not today's is one", "Meeting: 3 May 2027", "Meeting: 17 May 2027", 1],
    ["what grows older is none", "Posted 3 days ago", "Posted 1 week ago", 0],
    ["what grew younger is one", "Posted 3 days ago", "Posted 2 hours ago", 1],
    ["the words around a date still count", "Open on 3 May 2027", "Closed on 10 May 2027", 1],
  ])("%s", (_, before, now, places) => {
    expect(between(before, now)).toHaveLength(places);
  });

  test("a place that changed on nearly all pages of earlier runs is noise; one that stood still on most is not", () => {
    const known = { template: new NoiseMemory(), site: new NoiseMemory() };
    const [counts, price] = [between("Read 5 times", "Read 6 times"), between("Price: 5 EUR", "Price: 6 EUR")];
    const possible = new Set([...counts, ...price].flatMap(({ keys }) => keys));
    for (const page of ["a", "b", "c", "d", "e"]) known.template.sawChange(page, page === "a" ? [...counts, ...price] : counts, possible);
    const later = { ...known, template: new NoiseMemory(known.template.toText()) };
    const judged = (before: string, now: string) => [...judgePlaces(between(before, now), later).values()];
    expect(judged("Read 41 times", "Read 57 times")).toEqual(["noise"]);
    expect(judged("Price: 41 EUR", "Price: 57 EUR")).toEqual(["doubt"]);
  });

  test("a notice that was changed on all pages at once is news the next time too", () => {
    const memory = new NoiseMemory();
    const places = between("Top|Closed on Monday|News", "Top|Open on Monday again|News");
    for (const page of ["a", "b", "c", "d"]) memory.sawChange(page, places, new Set());
    const known = { template: new NoiseMemory(memory.toText()), site: new NoiseMemory() };
    const verdict = judgePlaces(between("Top|Open on Monday again|News", "Top|Water is shut off|News"), known);
    expect([...verdict.values()]).toEqual(["doubt"]);
  });

  /** A place that differed on all of four pages in one run, then on one of them in the next. */
  function later(before: string, now: readonly string[], next: string): string[] {
    const memory = new NoiseMemory();
    for (const [at, text] of now.entries()) memory.sawChange(`page ${at}`, between(before, text), new Set());
    const known = { template: new NoiseMemory(memory.toText()), site: new NoiseMemory() };
    return [...judgePlaces(between(now[0]!, next), known).values()];
  }

  test.each([
    [
      "what is new each time, and on each page, is news",
      "All well",
      ["Bridge shut", "Mill sold", "Road done", "Vote held"],
      "Snow came",
      "doubt",
    ],
    ["what takes turns is noise", "Old paint", ["Free parking", "Swim class", "Free parking", "Swim class"], "Swim class", "noise"],
    ["and what is new among it, too", "Old paint", ["Free parking", "Swim class", "Free parking", "Swim class"], "Spring fair", "noise"],
    ["a price of its own on each page is news", "Fee: 5 EUR", ["Fee: 7 EUR", "Fee: 8 EUR", "Fee: 9 EUR"], "Fee: 12 EUR", "doubt"],
    ["in another spelling too", "Fee: $5", ["Fee: $7", "Fee: $8", "Fee: $9"], "Fee: $12", "doubt"],
    ["a rate that all pages show is noise", "Gold: 5 EUR", ["Gold: 7 EUR", "Gold: 7 EUR", "Gold: 7 EUR"], "Gold: 12 EUR", "noise"],
    ["a number is noise", "Read 5 times", ["Read 7 times", "Read 8 times", "Read 9 times"], "Read 12 times", "noise"],
  ])("where a place changed on all pages: %s", (_, before, now, next, expected) => {
    const page = (text: string) => `Top|${text}|Contact`;
    expect(later(page(before), now.map(page), page(next))).toEqual([expected]);
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
  for (const place of between(...counter, same)) memory.sawMove(place);
  const again = new NoiseMemory(memory.toText());
  expect(again.toText()).toBe(memory.toText());
  expect(new NoiseMemory().toText()).toBeUndefined();
});
