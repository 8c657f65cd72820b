import type { Question } from "./dialect.ts";
import type { Model, Reply } from "./model.ts";
import { roughTokens } from "./reply.ts";
import type { Spending, Tokens } from "./spending.ts";

/** Why a question was not answered: `spent` before it was asked, because too little is left. The others as the model's replies are. */
export interface Trouble {
  readonly kind: "spent" | "refused" | "closed" | "failed";
  readonly why: string;
}

/** Asks, if there is enough left for it; what it costs is set aside meanwhile. */
export async function askWithin(
  question: Question,
  { model, spending }: { readonly model: Model; readonly spending: Spending },
  signal: AbortSignal,
): Promise<{ readonly text: string } | Trouble> {
  const expected: Tokens = { read: roughTokens(question.system + question.data), written: question.length };
  const end = spending.begin(expected);
  if (typeof end === "string") return { kind: "spent", why: end };
  let reply: Reply | undefined;
  try {
    reply = await model.ask(question, signal);
  } finally {
    // Broken off in the middle: what was asked has to be paid for all the same.
    end(reply?.tokens ?? { read: expected.read, written: 0 }, reply?.calls ?? 1);
  }
  return reply.kind === "said" ? { text: reply.text } : { kind: reply.kind, why: reply.why };
}
