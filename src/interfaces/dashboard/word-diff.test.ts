import { describe, expect, test } from "vitest";
import { type Line, wordDiff } from "./word-diff.ts";

const shown = (lines: readonly Line[]) =>
  lines.map((line) => line.map(({ text, isChanged: isOther }) => (isOther ? `[${text}]` : text)).join(""));

const facts: readonly (readonly [fact: string, before: string[], now: string[], removed: string[], added: string[]])[] = [
  [
    "two numbers of one sentence are two places, and what stands between them is not marked",
    ["The budget is 212.0 million dollars. The property tax rate is 0.632 per cent."],
    ["The budget is 215.4 million dollars. The property tax rate is 0.643 per cent."],
    ["The budget is [212.0] million dollars. The property tax rate is [0.632] per cent."],
    ["The budget is [215.4] million dollars. The property tax rate is [0.643] per cent."],
  ],
  [
    "words that follow each other are one mark",
    ["Present: Tom Haverford, chair"],
    ["Present: Donna Meagle, chair"],
    ["Present: [Tom Haverford], chair"],
    ["Present: [Donna Meagle], chair"],
  ],
  [
    "a word that came is marked where it came",
    ["open on Monday and Friday"],
    ["open on Monday, Tuesday and Friday"],
    ["open on Monday and Friday"],
    ["open on Monday[, Tuesday] and Friday"],
  ],
  [
    "texts with nothing in common are not marked word by word",
    ["Closed for works"],
    ["Swimming lessons begin again"],
    ["Closed for works"],
    ["Swimming lessons begin again"],
  ],
  ["what only went stands as it was", ["Gone"], [], ["Gone"], []],
  [
    "a sentence that was cut in two lines has not changed",
    ["One two three. Four five six."],
    ["One two three.", "Four five six."],
    ["One two three. Four five six."],
    ["One two three.", "Four five six."],
  ],
  [
    "words without blanks between them are found",
    ["会议于星期一举行"],
    ["会议于星期五举行"],
    ["会议于[星期一]举行"],
    ["会议于[星期五]举行"],
  ],
];

describe("words that differ inside a line", () => {
  test.each(facts)("%s", (_, before, now, removed, added) => {
    const told = wordDiff(before, now);
    expect([shown(told.removed), shown(told.added)]).toEqual([removed, added]);
  });
});
