import { askWithin, type Trouble } from "./ask.ts";
import { checkAnswer, type Judgement } from "./check-answer.ts";
import type { Model } from "./model.ts";
import { questionAbout, type ShownLink } from "./prompt.ts";
import type { Spending } from "./spending.ts";

/** What a model made of a batch of links. */
export interface Judged {
  /** One for each link; undefined where it said nothing that can be used. */
  readonly judgements: readonly (Judgement | undefined)[];
  /** Whether it answered at all, so that asking the same again would cost the same again. */
  readonly isAnswered: boolean;
  readonly trouble?: Trouble;
}

export interface JudgeSetup {
  readonly model: Model;
  readonly spending: Spending;
  readonly keywords: readonly string[];
}

/** What is asked of the model in one go, besides its links, is about as long as this many of them. */
export const BATCH = 40;

/** Asks about some links at once, and once more about those of which nothing usable was said. */
export async function judgeLinks(links: readonly ShownLink[], setup: JudgeSetup, signal: AbortSignal): Promise<Judged> {
  const first = await askAbout(links, setup, signal);
  if (first.trouble || first.judgements.every((judgement) => judgement !== undefined)) return first;
  const left = links.flatMap((link, place) => (first.judgements[place] ? [] : [{ link, place }]));
  // Most were answered: the model saw the others and found nothing to say.
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

async function askAbout(links: readonly ShownLink[], setup: JudgeSetup, signal: AbortSignal): Promise<Judged> {
  const { keywords } = setup;
  const reply = await askWithin(questionAbout(links, keywords), setup, signal);
  if ("kind" in reply) return { judgements: links.map(() => undefined), isAnswered: false, trouble: reply };
  const answers = checkAnswer(reply.text, { links: links.length, keywords });
  return { judgements: links.map((_, place) => answers.get(place + 1)), isAnswered: true };
}
