import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasLetterOrDigit, type Ignored, type IgnoredKind, maskOf, withoutIgnored } from "./ignored.ts";

const text = (value: string): Ignored => ({ kind: "text", value });
const pattern = (value: string): Ignored => ({ kind: "pattern", value });

describe("what is ignored in a block", () => {
  test.each([
    ["the words themselves", [text("closed today")], "The pool is closed today, sadly.", "The pool is, sadly."],
    ["whatever their numbers are", [text("Visitors today: 4,211")], "Visitors today: 98 — open until six", "— open until six"],
    ["whatever their dates are", [text("Updated 3 May 2027 at 14:05")], "Updated 12 June 2028 at 9:30", ""],
    ["however they are spelt", [text("READ MORE")], "Read more about the budget", "about the budget"],
    ["whatever marks stand among them", [text("now: 12 boats")], "Now (12 boats).", ""],
    ["a number alone, and no other", [text("4,211")], "4,211 of 4,212", "of 4,212"],
    ["not a part of a word", [text("bud")], "The budget", "The budget"],
    ["not the words in another order", [text("today closed")], "closed today", "closed today"],
    ["every time they are there", [text("ad: buy")], "Ad: buy soap. Ad: buy bread.", "soap. bread."],
    ["a pattern, as little as will do", [pattern("Last updated * ago")], "Last updated 3 min ago. It was long ago.", ". It was long ago."],
    ["a pattern, every time", [pattern("(see *)")], "One (see 1) and two (see 2).", "One and two ."],
    ["a pattern to the end of the block", [pattern("Visitors*")], "Here: Visitors 12, and more", "Here:"],
    ["a pattern from the beginning of the block", [pattern("*visitors")], "12 visitors are here", "are here"],
    ["the whole block, where a pattern reaches from end to end", [pattern("*visitors*")], "There are 12 visitors here", ""],
    ["a pattern only if all of it is there", [pattern("from * to *!")], "from A to B", "from A to B"],
    ["several at once", [text("one"), pattern("t*o")], "one two three", "three"],
    ["nothing of a block that has nothing of it", [text("one")], "— * —", "— * —"],
    ["nothing, where nothing is named", [pattern("*"), text("…"), pattern("")], "as it is", "as it is"],
  ])("%s", (_, ignored, block, left) => {
    expect((maskOf(ignored) ?? String)(block)).toBe(left);
  });

  test.each<[string, IgnoredKind[], string, string]>([
    ["dates, as people write them", ["dates"], "Seen 3 May 2027, 14:05 by 12 people", "Seen by 12 people"],
    ["dates, as programs write them", ["dates"], "Seen 2027-05-03T14:05:00Z by 12", "Seen by 12"],
    ["numbers", ["numbers"], "12 of 4,211 boats", "of boats"],
    ["white space", ["whitespace"], "a  b\t c", "a b c"],
  ])("%s, if somebody asks for it", (_, kinds, block, left) => {
    expect(maskOf([], kinds)!(block)).toBe(left);
  });

  test("takes nothing but time by the length of the text, and never breaks", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 30 }), fc.boolean(), (block, value, isText) => {
        const ignored = isText ? text(value) : pattern(value);
        const mask = maskOf([ignored], ["dates", "numbers"])!;
        expect(mask(block).length).toBeLessThanOrEqual(block.length);
        expect(hasLetterOrDigit(ignored)).toBe(maskOf([ignored]) !== undefined);
      }),
    );
    const long = "1 2027-01-01 a".repeat(50_000);
    expect(maskOf([text("a 1"), pattern("a*b*c")], ["dates", "numbers"])!(long).length).toBeLessThan(long.length);
  });
});

test("a page without what is ignored lacks blocks that are nothing else, and the links in them", () => {
  const link = (url: string, block: string) => ({ url, text: "Soap", heading: "Ads", block });
  const content = {
    title: "Town (12)",
    blocks: ["", "Town", "Ad: Soap", "The budget and 3 ads"],
    links: [link("http://a.test/ad", "Ad: Soap"), link("http://a.test/budget", "The budget and 3 ads"), link("http://a.test/t?id=7", "x")],
  };
  const mask = maskOf([text("ad: soap"), text("4 ads"), text("http://a.test/t?id=1")])!;
  expect(withoutIgnored(content, mask)).toEqual({
    title: "Town (12)",
    blocks: ["", "Town", "The budget and"],
    links: [link("http://a.test/budget", "The budget and")],
  });
});
