import { createHash } from "node:crypto";
import type { Judgement } from "./check-answer.ts";
import { PROMPT, type ShownLink } from "./prompt.ts";

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** Name of the scorer stored with a match. It differs by model, prompt and keywords. */
export const scorerName = (model: string, keywords: readonly string[]): string =>
  `llm:${model}#${PROMPT}.${digest(keywords.toSorted()).slice(0, 6)}`;

/** Cache key of an answer. It does not contain the link's position, so that the same link on another page is not sent again. */
export const answerKey = (model: string, keywords: readonly string[], { text, url }: ShownLink): string =>
  digest([PROMPT, model, keywords.toSorted(), text, url]).slice(0, 32);

/** The stored form of an answer. Empty if unusable, because the model would give the same again. */
export function writeAnswer(judgement: Judgement | undefined): string {
  if (!judgement) return "";
  return JSON.stringify([judgement.matches.map(({ word, match }) => [word, match]), judgement.reason]);
}

export function readAnswer(text: string): Judgement | undefined {
  if (text === "") return undefined;
  const [matches, reason] = JSON.parse(text) as [[string, number][], string];
  return { matches: matches.map(([word, match]) => ({ word, match })), reason };
}
