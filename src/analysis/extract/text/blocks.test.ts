import { expect, test } from "vitest";
import { readTree } from "../../parse/index.ts";
import { cutPage } from "./blocks.ts";

const textsOf = (html: string) => cutPage(readTree(html)).blocks.map(({ text }) => text);

test.each([
  ["white space around words is none of theirs", "<p>\n  One <b>two</b>\n</p>", ["One two"]],
  ["elements in a word do not part it", "<p>un<b>believ</b>able</p>", ["unbelievable"]],
  [
    "white space parts words, whichever element has it",
    "<p>one<b> two</b> <i>three </i>four<span> </span>five</p>",
    ["one two three four five"],
  ],
  ["a break parts words", "<p>one<br>two</p>", ["one two"]],
  ["two breaks part blocks", "<p>one<br><br>two</p>", ["one", "two"]],
  ["cells are parted", "<table><tr><td>one</td><td>two</td></tr></table>", ["one two"]],
  ["white space of other scripts and controls is folded too", "<p>one\u00a0\u3000two\u0001<b>\u0002three</b></p>", ["one two three"]],
  ["code keeps its lines", "<pre>\nif (x)\n  <b>y</b>\n</pre>", ["if (x)\n  y"]],
])("%s", (_, html, texts) => {
  expect(textsOf(html)).toEqual(texts);
});

test("Characters in links are counted without what is around them", () => {
  const [block] = cutPage(readTree("<p>See <a href=/a> this page </a> now</p>")).blocks;
  expect(block).toMatchObject({ text: "See this page now", linkChars: 9, links: 1 });
});
