import { AiOptions } from "../ai/options.ts";
import type { Environment } from "./secrets.ts";
import { SetupError } from "./setup-error.ts";

/** The only endpoint that OPENAI_API_KEY is sent to. */
export const OPENAI_HOST = "api.openai.com";

/**
 * The key for a model's endpoint, from the environment only. OPENAI_API_KEY is sent to its own endpoint and no other. NUTHATCH_LLM_KEY is
 * sent to NUTHATCH_LLM_URL from the same environment, or to the built-in endpoint. So neither a config file nor a stored run can redirect
 * it.
 */
export function modelKey(url: URL, env: Environment = process.env): string | undefined {
  const name = env.NUTHATCH_LLM_KEY ? "NUTHATCH_LLM_KEY" : "OPENAI_API_KEY";
  const key = env[name]?.trim();
  if (!key || (name === "OPENAI_API_KEY" && url.hostname !== OPENAI_HOST)) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key)) throw new SetupError(`${name} holds characters that no key has`, `set it again: export ${name}=…`);
  if (name === "OPENAI_API_KEY" || isTrustedEndpoint(url, env)) return key;
  throw new SetupError(
    `NUTHATCH_LLM_KEY is not sent to ${url.host}, which stands in a config file or in a stored run alone`,
    `name it together with the key: export NUTHATCH_LLM_URL=${url.href}, or --llm-url ${url.href}; without a key: unset NUTHATCH_LLM_KEY`,
  );
}

const isTrustedEndpoint = ({ origin }: URL, { NUTHATCH_LLM_URL: named }: Environment): boolean =>
  [AiOptions.shape.llmUrl.parse(undefined), named ?? ""].some((address) => URL.canParse(address) && new URL(address).origin === origin);
