import { z } from "zod";
import { duration, MAX_TIMER_MS, orNone } from "../../core/units.ts";

const TWO_AMOUNTS = /^\d+(\.\d+)?\s*,\s*\d+(\.\d+)?$/;

/** No query or credentials in the URL: it is stored with the run and displayed, so keys belong in the environment. */
const hasNoLoginOrQuery = (text: string) =>
  URL.canParse(text) && !/[?#]/.test(text) && new URL(text).username + new URL(text).password === "";

export const AiOptions = z.object({
  llm: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Model that judges links after the crawl, by the name its endpoint has for it; its key is read from NUTHATCH_LLM_KEY")
    .meta({ examples: ["gpt-4o-mini"] }),
  llmUrl: z
    .url({ protocol: /^https?$/, error: "expected a URL that starts with http:// or https://" })
    .refine(hasNoLoginOrQuery, "must be an address without user, password or query: the key is read from NUTHATCH_LLM_KEY")
    .default("https://api.openai.com/v1")
    .describe("Where the model is asked: the base URL of any OpenAI-compatible endpoint"),
  llmTokens: orNone(z.number().int().min(0))
    .default(1_000_000)
    .describe("Most tokens a run may spend on the model, read and written together"),
  llmBudget: orNone(z.number().min(0)).prefault("none").describe("Most dollars a run may spend on the model, at the price of --llm-price"),
  llmPrice: z
    .string()
    .regex(TWO_AMOUNTS, "must be two amounts: dollars for a million tokens read, and for a million written, such as 0.15,0.6")
    .optional()
    .describe("What the model costs: dollars for a million tokens read, and for a million written, such as 0.15,0.6")
    .meta({ examples: ["0.15,0.6"] }),
  llmTimeout: duration({ min: 1, max: MAX_TIMER_MS }).prefault("60s").describe("Time for one answer of the model"),
});

export type AiOptions = z.infer<typeof AiOptions>;
