import { describe, expect, test } from "vitest";
import { checkDescription } from "./describe-page.ts";

const good = "The council decided to mend the roof of the town hall.";
const said = (description: unknown, topics: unknown = []) => JSON.stringify({ description, topics });

describe("of what a model says of a page comes through", () => {
  test.each([
    ["a plain paragraph", said(good), good],
    ["one that has words around it", `Here you are:\n${said(good)}\nAnything else?`, good],
    ["one with white space in it, on one line", said(` ${good.replaceAll(" ", "\n")} `), good],
    ["nothing of what is too short", said("A roof."), ""],
    ["nothing of what is too long", said(`${good} `.repeat(12)), ""],
    ["nothing of two paragraphs", said(`${good}\n\n${good}`), ""],
    ["nothing with an address", said(`${good} See https://elsewhere.test`), ""],
    ["nothing with markup", said(`${good} <b>now</b>`), ""],
    ["nothing with a link of Markdown", said(`${good} [here](x)`), ""],
    ["nothing of what is no text", said(42), ""],
    ["nothing of what is no JSON", good, ""],
  ])("%s", (_, text, expected) => expect(checkDescription(text).description).toBe(expected));

  test.each([
    ["topics in small letters, once each", ["Roofs", "roofs", "Town Hall"], ["roofs", "town hall"]],
    ["none that is an address, a number or too long", ["http://x", "2024", "a".repeat(31), "x\u0000y", "ok-topic"], ["x y", "ok-topic"]],
    ["five at most", ["aa", "bb", "cc", "dd", "ee", "ff"], ["aa", "bb", "cc", "dd", "ee"]],
    ["none of what is no list", "roofs", []],
    ["none of what is no text", [1, null, {}, "roofs"], ["roofs"]],
  ])("%s", (_, topics, expected) => expect(checkDescription(said(good, topics)).topics).toEqual(expected));
});
