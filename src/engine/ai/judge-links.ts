import { askWithinBudget, type NoAnswer } from "./ask.ts";
import { checkAnswer, type Judgement } from "./check-answer.ts";
import type { Model } from "./model.ts";
import { questionAbout, type ShownLink } from "./prompt.ts";
import type { Spending } from "./spending.ts";

/** The result for a batch of links. */
export interface JudgeResult {
  /** One per link; undefined if there was no usable answer for it. */
  readonly judgements: readonly (Judgement | undefined)[];
  /** Whether the model answered at all; if so, sending the same again would cost the same again. */
  readonly isAnswered: boolean;
  readonly trouble?: NoAnswer;
}

export interface JudgeSetup {
  readonly model: Model;
  readonly spending: Spending;
  readonly keywords: readonly string[];
}

/** Links per request. The instructions of a request are about as long as this many links. */
export const BATCH = 40;

/** Judges links in one request, and sends a second one for those without a usable answer. */
export async function judgeLinks(links: readonly ShownLink[], setup: JudgeSetup, signal: AbortSignal): Promise<JudgeResult> {
  const first = await askAbout(links, setup, signal);
  if (first.trouble || first.judgements.every((judgement) => judgement !== undefined)) return first;
  const left = links.flatMap((link, place) => (first.judgements[place] ? [] : [{ link, place }]));
  // If most were answered, the model saw the others and had nothing to say about them.
  if (left.length * 2 < links.length) return first;
  const second = await askAbout(
    left.map(({ link }) => link),
    setup,
    signal,
  );
  const judgements = [...first.judgements];
  for (const [at, { place }] of left.entries()) judgements[place] = second.judgements[at];
  return { judgements, isAnswered: second.isAnswered, ...(second.trouble && { trouble: second.trouble }) };
}

async function askAbout(links: readonly ShownLink[], setup: JudgeSetup, signal: AbortSignal): Promise<JudgeResult> {
  const { keywords } = setup;
  const reply = await askWithinBudget(questionAbout(links, keywords), setup, signal);
  if ("kind" in reply) return { judgements: links.map(() => undefined), isAnswered: false, trouble: reply };
  const answers = checkAnswer(reply.text, { links: links.length, keywords });
  return { judgements: links.map((_, place) => answers.get(place + 1)), isAnswered: true };
}
