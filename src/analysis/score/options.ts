import { z } from "zod";
import { isKeyword, MAX_KEYWORD_LENGTH, readKeyword } from "./keywords.ts";

export { isKeyword, keywordLines, readKeyword } from "./keywords.ts";

/** More keywords would not be a selection, and every link is matched with each. */
export const MAX_KEYWORDS = 1000;

const KEYWORD = `a keyword has 1 to ${MAX_KEYWORD_LENGTH} characters and no semicolon`;
const weight = z.number("a weight must be a number").min(0, "a weight must be at least 0").max(1, "a weight must be at most 1");
const table = z.record(z.string().trim().refine(isKeyword, KEYWORD), weight);
const list = z.array(
  z.string().refine((text) => readKeyword(text) !== undefined, {
    error: ({ input }) => `${JSON.stringify(input)} is no keyword with a weight of 0 to 1; ${KEYWORD}`,
  }),
);

const withWeights = (given: z.infer<typeof table> | z.infer<typeof list>): Record<string, number> =>
  Array.isArray(given) ? Object.fromEntries(given.flatMap((text) => [readKeyword(text)!])) : given;

export const ScoreOptions = z.object({
  keywords: z
    .union([table, list])
    .transform(withWeights)
    .refine((words) => Object.keys(words).length <= MAX_KEYWORDS, { error: `at most ${MAX_KEYWORDS} keywords` })
    .default({})
    .describe("What matters: words or phrases, each with a weight of 0 to 1; without any, those the site had last")
    .meta({ kept: false, examples: ["budget=0.5"] }),
  scorer: z
    .enum(["lexical", "embedded", "llm"])
    .default("embedded")
    .describe("How links are held against keywords: their words alone, with word vectors too, or by a model afterwards"),
  scoreRatio: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe(
      "What each further keyword of a link counts of the one before it, in the order of a crawl, its summary and nuthatch links; lists of the API and views of the data file halve it",
    ),
});

export type ScoreOptions = z.infer<typeof ScoreOptions>;
