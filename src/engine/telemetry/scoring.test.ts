import { expect, test } from "vitest";
import type { ScoringReport } from "../crawl/index.ts";
import { modelLines } from "./scoring.ts";

const report: ScoringReport = {
  ...{ model: "m-1", ended: "finished", trouble: null, judged: 431, cached: 0, unusable: 0, left: 0 },
  ...{ calls: 11, tokensRead: 23_114, tokensWritten: 4210, usd: 0.00599 },
};

test.each<[string, Partial<ScoringReport>, string[]]>([
  ["what was done and what it cost", {}, ["m-1: 431 links judged · 11 calls · 23,114 + 4,210 tokens · $0.0060"]],
  ["what was known before costs nothing", { judged: 0, cached: 1200, calls: 0 }, ["m-1: 0 links judged · 1,200 known before · 0 calls"]],
  [
    "a price that nobody told",
    { judged: 1, calls: 1, usd: null },
    ["m-1: 1 link judged · 1 call · 23,114 + 4,210 tokens · price not known"],
  ],
  [
    "where it stopped, and what is left",
    { ended: "budget", trouble: "--llm-tokens 12000", left: 1, usd: 1.5 },
    [
      "m-1: 431 links judged · 11 calls · 23,114 + 4,210 tokens · $1.50",
      "scoring stopped at its budget: --llm-tokens 12000; 1 link is left for nuthatch llm score",
    ],
  ],
  [
    "what went wrong, in words that no terminal obeys",
    { ended: "failed", trouble: "it answered 500 (\u001b[2Jboo)", judged: 0, unusable: 3, left: 40, calls: 0 },
    [
      "m-1: 0 links judged · 0 calls",
      "of 3 links it said nothing that can be used",
      expect.stringMatching(/^scoring failed: it answered 500 \([^\u001b]*boo\); 40 links are left/) as string,
    ],
  ],
])("%s", (_, more, lines) => {
  expect(modelLines({ ...report, ...more }).map(([, text]) => text)).toEqual(lines);
});

test("without a model there is nothing to say", () => {
  expect(modelLines(undefined)).toEqual([]);
});
