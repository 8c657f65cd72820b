import { expect, test } from "vitest";
import { rulesFor, suggestPattern, textsToIgnore } from "./ignore-pattern.ts";

test.each([
  ["a number is what changes", ["Visitors today: 4,211"], "Visitors today: *"],
  ["a date is one thing that changes", ["Updated 2026-11-16 03:29 by staff"], "Updated * by staff"],
  ["without numbers it is the text", ["Weather: sunny"], "Weather: sunny"],
  ["two texts differ in the middle", ["It is sunny today", "It is raining hard today"], "It is * today"],
  ["or at an end", ["Weather: sunny", "Weather: rain"], "Weather: *"],
  ["or by a word more", ["Open on Monday", "Open on"], "Open on *"],
  ["words that repeat count once", ["a a a", "a a"], "a a *"],
  ["twice the same text is one", ["Room 7", "Room 7"], "Room *"],
  ["nothing stays nothing", [], ""],
])("%s", (_, texts, pattern) => expect(suggestPattern(texts)).toBe(pattern));

test.each([
  ["words are ignored as they are", ["Visitors: 7"], [{ kind: "text", value: "Visitors: 7" }]],
  ["two texts by what they share", ["It is sunny", "It is wet"], [{ kind: "pattern", value: "It is *" }]],
  [
    "two that share nothing each by itself",
    ["Sunny", "Wet"],
    [
      { kind: "text", value: "Sunny" },
      { kind: "text", value: "Wet" },
    ],
  ],
])("%s", (_, texts, rules) => expect(rulesFor(texts)).toEqual(rules));

const weather = { removed: ["Weather today: sunny, 7 degrees"], added: ["Weather today: rain, 9 degrees"] };

test.each([
  ["words that both sides have stand for themselves", "today", weather, ["today"]],
  ["and with them the numbers among them", "9 degrees", weather, ["9 degrees"]],
  ["a number alone means the text it stands in", "9", weather, [weather.added[0], weather.removed[0]]],
  ["so do words that one side has instead of others", "rain", weather, [weather.added[0], weather.removed[0]]],
  ["whichever side they are on", "sunny", weather, [weather.removed[0], weather.added[0]]],
  ["what only came has no other side", "New here", { removed: [], added: ["New here today"] }, ["New here"]],
  ["what stands around it is itself", "Council", weather, ["Council"]],
])("%s", (_, text, place, texts) => expect(textsToIgnore(text, place)).toEqual(texts));
