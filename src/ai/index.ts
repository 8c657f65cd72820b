/**
 * A model that is asked about links and pages, wherever one is that speaks OpenAI's protocol. What it costs is set aside before it is spent, what
 * pages say reaches it as data alone, and of what it says only that comes through which could be an answer. Knows no store and no site.
 */
export { answerKey, readAnswer, scorerName, writeAnswer } from "./answer-text.ts";
export type { Trouble } from "./ask.ts";
export type { Judgement } from "./check-answer.ts";
export { type Description, describePage, descriptionKey, type ShownPage } from "./describe-page.ts";
export { evalSet, type LabelledLinks } from "./eval-set.ts";
export { BATCH, type Judged, judgeLinks } from "./judge-links.ts";
export { type Measures, measure } from "./measures.ts";
export { type Model, type ModelSetup, openModel } from "./model.ts";
export type { AiOptions } from "./options.ts";
export { PROMPT, type ShownLink } from "./prompt.ts";
export { parsePrice, Spending } from "./spending.ts";
