import { describe, expect, test } from "vitest";
import { distributeBudget, fitPassage, tokensOf } from "./budget.ts";
import { sentencesOf } from "./sentences.ts";

describe("sentences", () => {
  test.each([
    ["end with a dot", "One is here. Two is there.", 2],
    ["do not end with an abbreviation", "It costs ca. 3 Euro, e.g. in May. Dr. Miller agrees.", 2],
    ["do not end with an initial", "It was made by J. R. Smith in Kent. He lived there.", 2],
    ["do not end with a line", "The first line goes\non here. The second\nas well.", 2],
    ["of Chinese end without a blank", "渡船在房间之间运送文件。它从不丢失。你好吗？", 3],
    ["of Japanese as well", "渡し船です。書類を運びます。", 2],
  ])("%s", (_, text, count) => {
    const sentences = sentencesOf(text);
    expect([sentences.length, sentences.join("")]).toEqual([count, text]);
  });
});

describe("of what does not fit", () => {
  const long = "The first sentence stands here alone. The second one is about something else entirely. A third follows.";
  const list = "- one item of a list\n  that goes on\n- another item of it\n- a third";
  test.each([
    ["a paragraph gives whole sentences", long, tokensOf(long) - 3, long.slice(0, long.indexOf(" A third"))],
    ["a list gives whole items", list, tokensOf(list) - 2, list.slice(0, list.indexOf("\n- a third"))],
    ["code gives nothing", "```\na\nb\n```", 4, ""],
    ["a table gives nothing", "| a | b |\n| --- | --- |\n| c | d |", 6, ""],
    ["a list with code gives whole items", "- one:\n  ```\n  - a\n  - b\n  ```\n- two", 8, ""],
    ["and nothing of the next item", "- one:\n  ```\n  - a\n  - b\n  ```\n- two", 13, "- one:\n  ```\n  - a\n  - b\n  ```"],
    ["a quote gives no half of its code", "> A. B is here.\n>\n> ```\n> c. D is. E is.\n> ```", 12, "> A. B is here."],
    ["nothing is left where not even a sentence fits", long, 3, ""],
  ])("%s", (_, passage, tokens, expected) => {
    expect(fitPassage(passage, tokens)).toBe(expected);
  });
});

test.each([
  ["what fits is had by all", [10, 20, 30], 100, [10, 20, 30]],
  ["a long first page leaves half to the next two", [500, 500, 500], 100, [50, 25, 25]],
  ["what others do not need, the first one has", [500, 5, 5], 100, [90, 5, 5]],
  ["later pages get what is left", [10, 10, 10, 500], 100, [10, 10, 10, 70]],
])("%s", (_, costs, tokens, expected) => {
  expect(distributeBudget(costs, tokens)).toEqual(expected);
});
