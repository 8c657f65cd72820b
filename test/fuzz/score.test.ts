import fc from "fast-check";
import { expect, test } from "vitest";
import { match, openScorer, type ScorerKind } from "../../src/analysis/score/index.ts";
import { numRuns, soup } from "./soup.ts";

const pieces =
  "budget Budgets meeting minutes 9-1-1 & – ’ / ? # %41 %zz %E4 http:// www. .aspx utm_source= : __proto__ constructor 予算 ตัวอย่าง ا لعربية Straße ﬁ ǅ é e\u0301 😀 \u200d ".split(
    " ",
  );
const texts = soup([...pieces, " "], 20);
const links = fc.record({ text: texts, url: texts, title: texts, heading: texts, context: texts });
const keywords = fc.uniqueArray(texts, { maxLength: 4 });

test("whatever a link says and whatever is asked for, every keyword has a match of 0 to 1, and the same one again", () => {
  fc.assert(
    fc.property(links, keywords, fc.constantFrom<ScorerKind>("lexical", "embedded"), (link, words, kind) => {
      const scorer = openScorer(words, { kind });
      const matches = [...scorer.match(link), ...scorer.matchText(link.context)];
      expect(matches).toHaveLength(2 * words.length);
      expect(matches.filter((value) => !(value >= 0 && value <= 1))).toEqual([]);
      expect([...scorer.match(link), ...scorer.matchText(link.context)]).toEqual(matches);
    }),
    { numRuns },
  );
});

test("a batch has each keyword by its name", () => {
  fc.assert(
    fc.property(links, keywords, (link, words) => {
      expect(Object.keys(match([link], words)[0]!).toSorted()).toEqual(words.toSorted());
    }),
    { numRuns },
  );
});
