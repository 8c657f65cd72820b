import { expect, test } from "vitest";
import { readQuery, snippetOf, words } from "./index.ts";

test.each([
  ["words are as they are", "The town's budget", "The town's budget"],
  ["a run without spaces becomes pairs, and its last character", "東京都", " 東京 京都 都 "],
  ["other words stand apart from it", "iPhone用ケース", "iPhone 用ケ ケー ース ス "],
  ["wide and narrow letters are the same", "ＡＢＣ ｶﾞ", "ABC  ガ "],
  ["characters outside the first plane are one", "𠮷野", " 𠮷野 野 "],
  ["points over and under letters are left out", "العَرَبِيَّة", "العربية"],
  ["what would end a text is a space", "a\0b", "a b"],
])("in the index, %s", (_, text, expected) => {
  expect(words(text)).toBe(expected);
});

/** `+` for wanted, `-` for unwanted, a star for a prefix. */
const read = (typed: string) => {
  const query = readQuery(typed);
  const shown = (sign: string) => (term: { words: string; isBeginning: boolean }) =>
    `${sign}${term.words.trim()}${term.isBeginning ? "*" : ""}`;
  return query && [...query.wanted.map(shown("+")), ...query.unwanted.map(shown("-"))];
};

test.each([
  ["words are all wanted", "town  budget", ["+town", "+budget"]],
  ["quotes make a phrase", '"town council" budget', ["+town council", "+budget"]],
  ["so do those of other countries", "„town council“ «le budget»", ["+town council", "+le budget"]],
  ["a quote that is not closed goes to the end", 'budget "town council', ["+budget", "+town council"]],
  ["a minus leaves out", 'budget -draft -"old town"', ["+budget", "-draft", "-old town"]],
  ["a minus within a word is part of it", "follow-up", ["+follow-up"]],
  ["a star lets a word go on", 'coun* "town coun"*', ["+coun*", "+town coun*"]],
  ["what has no letters is nothing", "++ * - ' ( ) AND:", ["+AND"]],
  ["what the index could obey is words", "NEAR(a b, 3) OR title:x ^c {d}", ["+NEAR(a", "+b", "+3", "+OR", "+title:x", "+c", "+d"]],
  ["runs are looked for by their pairs", "東京都", ["+東京 京都"]],
  ["a character alone begins a pair", "都", ["+都*"]],
  ["a run that ends within what is typed has ended", "用iPhone", ["+用 iPhone"]],
  ["with signs around it too", "'東京都'。", ["+東京 京都"]],
  ["the same character twice is a pair", "都都", ["+都都"]],
  ["nothing is nothing", "  ", []],
  ["too many words are too many", "w ".repeat(65), undefined],
  ["and so is a text", "w".repeat(1001), undefined],
])("%s", (_, typed, expected) => {
  expect(read(typed)).toEqual(expected);
});

/** Shows matches in brackets. */
const marked = (text: string, typed: string) => {
  const snippet = snippetOf(text, readQuery(typed)!);
  return snippet.matches.reduceRight(
    (shown, [from, to]) => `${shown.slice(0, from)}[${shown.slice(from, to)}]${shown.slice(to)}`,
    snippet.text,
  );
};
const filler = (count: number) => "Nothing to see here. ".repeat(count);

test.each([
  ["a short text is shown whole", "The  budget\nis here.", "budget", "The [budget] is here."],
  ["case and accents do not matter", "Das ÖL im Été", "öl ete", "Das [ÖL] im [Été]"],
  ["a phrase is one match", "town hall, town council", '"town council"', "town hall, [town council]"],
  ["a word that goes on is marked whole", "Councils and counting", "coun*", "[Councils] and [counting]"],
  ["an apostrophe does not split what is marked", "the town's budget", "town's", "the [town's] budget"],
  ["runs are marked where they stand", "今日は東京都です", "東京 都", "今日は[東京][都]です"],
  ["what is not there shows the beginning", "The beginning.", "other", "The beginning."],
  ["of a text without words too", "…", "other", "…"],
  [
    "a longer one is cut",
    `${filler(20)}The budget is here. ${filler(20)}`,
    "budget",
    /^…[\w. ]{40,90}The \[budget\] is here\. [\w. ]{60,150}…$/,
  ],
  ["from the beginning of a line, if there is one", `${filler(20)}\nThe budget is here.`, "budget", "The [budget] is here."],
  [
    "where most of the words stand together",
    `budget ${filler(20)} council ${filler(20)} budget of the council`,
    "council budget",
    /\[budget\] of the \[council\]$/,
  ],
] as [string, string, string, string | RegExp][])("of a page, %s", (_, text, typed, expected) => {
  if (typeof expected === "string") expect(marked(text, typed)).toBe(expected);
  else expect(marked(text, typed)).toMatch(expected);
});

test("a snippet is never much longer than it should be, whatever the text is", () => {
  for (const text of [
    "a".repeat(500_000),
    "ab ".repeat(200_000),
    "都".repeat(300_000),
    "😀".repeat(100_000),
    "\n".repeat(100_000),
    "a\u0301".repeat(100_000),
  ])
    expect(snippetOf(text, readQuery('ab "a a" 都')!).text.length).toBeLessThan(300);
});
