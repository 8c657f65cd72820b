import type { Question } from "./dialect.ts";
import type { Model, Reply } from "./model.ts";
import { estimateTokens } from "./reply.ts";
import type { Spending, Tokens } from "./spending.ts";

/** Why a question has no answer. `spent`: not sent, because the budget is too small. The others are as in the model's reply. */
export interface NoAnswer {
  readonly kind: "spent" | "refused" | "closed" | "failed";
  readonly why: string;
}

/** Sends a question if the budget allows it; its expected cost is reserved meanwhile. */
export async function askWithinBudget(
  question: Question,
  { model, spending }: { readonly model: Model; readonly spending: Spending },
  signal: AbortSignal,
): Promise<{ readonly text: string } | NoAnswer> {
  const expected: Tokens = { read: estimateTokens(question.system + question.data), written: question.length };
  const settleCost = spending.reserve(expected);
  if (typeof settleCost === "string") return { kind: "spent", why: settleCost };
  let reply: Reply | undefined;
  try {
    reply = await model.ask(question, signal);
  } finally {
    // If aborted, the input tokens are charged all the same.
    settleCost(reply?.tokens ?? { read: expected.read, written: 0 }, reply?.calls ?? 1);
  }
  return reply.kind === "said" ? { text: reply.text } : { kind: reply.kind, why: reply.why };
}
