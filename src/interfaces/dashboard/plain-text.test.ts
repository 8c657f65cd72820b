import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test.each([
  ["emphasis is taken away", "a **b** *c* ~~d~~ e", "a b c d e"],
  ["a star that multiplies stays", "3 * 4", "3 * 4"],
  ["a link is its words", "see [the plan](https://a.test/x) now", "see the plan now"],
  ["brackets in an address are no end", "[a](<https://a.test/x_(y)>)!", "a!"],
  ["an image in a link is its words", "[![A cat](https://a.test/c.png) says](https://a.test/)", "A cat says"],
  ["escaped signs stand as they were", String.raw`5 \* 3 \[sic] \<b> a\_ \& \\`, String.raw`5 * 3 [sic] <b> a_ & \ `.trim()],
  ["escaped marks are no marks", String.raw`\*\*not bold\*\* and \`no code\``, "**not bold** and `no code`"],
  ["nor is an escaped bracket a link", String.raw`\[1](note) and [x\]y](https://a.test/)`, "[1](note) and x]y"],
  ["code stands as it is", "`a\\*b **c**` and ``x`y``", "a\\*b **c** and x`y"],
  ["code that begins with a tick is without its spaces", "`` `x ``", "`x"],
  ["a number that is no list", String.raw`1986\. A good year`, "1986. A good year"],
])("%s", (_, markdown, text) => expect(plainText(markdown)).toBe(text));
