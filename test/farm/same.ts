/** Pages without end that are one and the same. */
import { type Trap, under } from "./traps.ts";
import { anchors, draw, times } from "./words.ts";

const LEAVES = 8_000;
const sameLeaf = "<title>A leaf</title><p>This page is like every other page of its list.</p>";
const listOfLeaves = `<h1>Leaves</h1>${anchors(...times(LEAVES, (n): [string, string] => [`/leaves/leaf-${n}`, `Leaf ${n}`]))}`;

/** Drawn anew for each request, as programs do that know only one spelling. */
let asked = 0;
const anyLetters = (text: string) => {
  asked += 1;
  const { number } = draw(`letters ${asked}`);
  return [...text].map((letter) => (number(2) === 0 ? letter.toUpperCase() : letter)).join("");
};

const notice = "The same notice, in whatever letters it is asked for.";

export const sameTraps: readonly Trap[] = [
  under("a list of 8,000 leaves that are one page", "/leaves/", (path) => (path === "/leaves/" ? listOfLeaves : sameLeaf)),
  under("one page in any capitals and small letters", "/letters/", () => {
    const links = times(6, (): [string, string] => [`/letters/${anyLetters("thenoticeboard")}/${anyLetters("entry")}`, "again"]);
    return `<title>Notice</title><p>${notice}</p>${anchors(...links)}`;
  }),
];
