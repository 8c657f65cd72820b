/**
 * Language models behind any endpoint with OpenAI's protocol, for links and pages. Cost is reserved before it is spent, page texts are
 * sent only as data, and answers are validated. Independent of store and site.
 */
export { answerKey, readAnswer, scorerName, writeAnswer } from "./answer-text.ts";
export type { NoAnswer } from "./ask.ts";
export type { Judgement } from "./check-answer.ts";
export { type Description, describePage, descriptionKey, type ShownPage } from "./describe-page.ts";
export { evalSet, type LabelledLinks } from "./eval-set.ts";
export { BATCH, type JudgeResult, judgeLinks } from "./judge-links.ts";
export { type Measures, measure } from "./measures.ts";
export { type Model, type ModelSetup, openModel } from "./model.ts";
export type { AiOptions } from "./options.ts";
export { PROMPT, type ShownLink } from "./prompt.ts";
export { parsePrice, Spending } from "./spending.ts";
