import { createHash } from "node:crypto";
import type { Judgement } from "./check-answer.ts";
import { PROMPT, type ShownLink } from "./prompt.ts";

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** Who says so, as it is kept with a match: another model, another prompt or other keywords are somebody else. */
export const scorerName = (model: string, keywords: readonly string[]): string =>
  `llm:${model}#${PROMPT}.${digest(keywords.toSorted()).slice(0, 6)}`;

/** What an answer is found by again. Where the link stands is not part of it: the same link on another page is not asked about again. */
export const answerKey = (model: string, keywords: readonly string[], { text, url }: ShownLink): string =>
  digest([PROMPT, model, keywords.toSorted(), text, url]).slice(0, 32);

/** As it is kept. Nothing where the model said nothing that can be used: it would say it again. */
export function writeAnswer(judgement: Judgement | undefined): string {
  if (!judgement) return "";
  return JSON.stringify([judgement.matches.map(({ word, match }) => [word, match]), judgement.reason]);
}

export function readAnswer(text: string): Judgement | undefined {
  if (text === "") return undefined;
  const [matches, reason] = JSON.parse(text) as [[string, number][], string];
  return { matches: matches.map(([word, match]) => ({ word, match })), reason };
}
