import { expect, test } from "vitest";
import { checkAnswer } from "./check-answer.ts";

const asked = { links: 3, keywords: ["budget", "Meeting minutes"] };
const one = (matches: unknown, reason: unknown = "why") => JSON.stringify({ links: [{ id: 1, matches, reason }], none: [2, 3] });
const matched = (text: string) =>
  checkAnswer(text, asked)
    .get(1)
    ?.matches.map(({ word, match }) => [word, match]);
const budget = [{ keyword: "budget", match: 0.7 }];

test.each<[string, string, unknown]>([
  ["a match is kept", one(budget), [["budget", 0.7]]],
  ["a score of 7 is 1", one([{ keyword: "budget", match: 7 }]), [["budget", 1]]],
  ["an entry without matches says nothing of its link", JSON.stringify({ links: [{ id: 1, keywords: budget }], none: [2, 3] }), undefined],
  ["nor does one whose matches are text", one("budget"), undefined],
  ["and one below nought is no match", one([{ keyword: "budget", match: -3 }]), []],
  ["a number may come as text", one([{ keyword: "budget", match: "0.5" }]), [["budget", 0.5]]],
  [
    "what is no number is no match",
    one([
      { keyword: "budget", match: "much" },
      { keyword: "budget", match: null },
    ]),
    [],
  ],
  ["keywords come back as they are listed", one([{ keyword: " meeting MINUTES ", match: 1 }]), [["Meeting minutes", 1]]],
  ["an object from keyword to match will do", one({ budget: 0.4 }), [["budget", 0.4]]],
  ["of a keyword named twice the first counts", one([...budget, { keyword: "budget", match: 1 }]), [["budget", 0.7]]],
  ["a word nobody listed is kept", one([{ keyword: "Tax", match: 1 }]), [["tax", 1]]],
  [
    "but no more than two of them",
    one(["a", "b", "c", "budget"].map((keyword) => ({ keyword, match: 1 }))),
    [
      ["a", 1],
      ["b", 1],
      ["budget", 1],
    ],
  ],
  ["no long ones", one([{ keyword: "x".repeat(41), match: 1 }]), []],
  [
    "and none that is more than a word",
    one([
      { keyword: "<b>tax\u001b[2J", match: 1 },
      { keyword: "", match: 1 },
    ]),
    [],
  ],
  [
    "words before and after the answer are passed over",
    `Sure! Here {it} is:\n\`\`\`json\n${one(budget)}\n\`\`\`\nAnything else? []`,
    [["budget", 0.7]],
  ],
  ["and so are thoughts that hold JSON of their own", `<think>{"a":[1]}</think>${one(budget)}`, [["budget", 0.7]]],
  ["the answer may lie in another object", `{"result": ${one(budget)}}`, [["budget", 0.7]]],
  ["or be the list alone", JSON.stringify([{ id: "1", matches: budget }]), [["budget", 0.7]]],
  ["of an answer that was cut off, the list that is whole will do", one(budget).slice(0, -12), [["budget", 0.7]]],
  ["but half a list is none", one(budget).slice(0, -25), undefined],
  ["prose is no answer", "The first link is about the budget.", undefined],
  ["nor is nothing", "", undefined],
  ["nor another kind of JSON", '{"links": 7, "none": {"1": 1}}', undefined],
  ["nor null", "null", undefined],
  ["nor lists of nothing", '{"links":[null, 5, "x"], "none":[null]}', undefined],
])("%s", (_, text, expected) => {
  expect(matched(text)).toEqual(expected);
});

test.each<[string, unknown[], number[]]>([
  [
    "links that were not shown are dropped",
    [{ id: 4, matches: budget }, { id: 0, matches: budget }, { id: 1.5 }, { id: "https://evil.test/" }],
    [2, 3],
  ],
  [
    "of a link named twice the first counts",
    [
      { id: 1, matches: [] },
      { id: 1, matches: budget },
    ],
    [1, 2, 3],
  ],
])("%s", (_, links, ids) => {
  const answer = checkAnswer(JSON.stringify({ links, none: [2, 3, 99] }), asked);
  expect([...answer.keys()].toSorted()).toEqual(ids);
  expect([...answer.values()].flatMap(({ matches }) => matches)).toEqual([]);
});

test("a reason is one short line of visible characters", () => {
  const reason = checkAnswer(one(budget, `a\u001b[31m\nb\u202e ${"long ".repeat(100)}`), asked).get(1)!.reason;
  expect(reason).toMatch(/^a \[31m b long long/);
  expect(reason.length).toBeLessThanOrEqual(160);
  expect(checkAnswer(one(budget, 7), asked).get(1)!.reason).toBe("");
});

test("a text full of brackets is given up in time", () => {
  expect(checkAnswer("[{".repeat(500_000), asked).size).toBe(0);
});
