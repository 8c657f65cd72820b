import type { Environment } from "./secrets.ts";
import { SetupError } from "./setup-error.ts";

/** The one endpoint that the key in everybody's environment is for. */
export const OPENAI = "api.openai.com";

/** The key for a model's endpoint. It stands in the environment alone, and OPENAI_API_KEY goes to its own endpoint and to no other. */
export function modelKey({ hostname }: URL, env: Environment = process.env): string | undefined {
  const name = env.NUTHATCH_LLM_KEY ? "NUTHATCH_LLM_KEY" : "OPENAI_API_KEY";
  const key = env[name]?.trim();
  if (!key || (name === "OPENAI_API_KEY" && hostname !== OPENAI)) return undefined;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new SetupError(`${name} holds characters that no key has`, `set it again: export ${name}=…`);
}
