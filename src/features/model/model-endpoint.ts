import { type Config, type Environment, modelKey, OPENAI_HOST, SetupError } from "../../engine/config/index.ts";
import { PrivateHosts } from "../../engine/fetch/index.ts";

const LOOPBACK = /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/;

export interface ModelEndpoint {
  readonly model: string;
  readonly url: URL;
  readonly key: string | undefined;
}

/** The model and its endpoint, if any. Throws for an impossible configuration before any request. */
export function modelEndpoint(config: Config, env?: Environment): ModelEndpoint | undefined {
  const { llm: model, scorer, llmUrl } = config;
  if (model === undefined) {
    if (scorer !== "llm") return undefined;
    throw new SetupError(
      "--scorer llm does not say which model",
      "name it: --llm gpt-4o-mini, or --llm qwen3 --llm-url http://127.0.0.1:11434/v1",
    );
  }
  const url = new URL(llmUrl);
  const key = modelKey(url, env);
  if (url.protocol === "http:" && !isLocalOrAllowed(url, config.allowPrivate))
    throw new SetupError(
      `${url.host} would be asked without encryption`,
      `use https:// in --llm-url, or say that it is near: --allow-private ${url.host}`,
    );
  if (url.hostname === OPENAI_HOST && key === undefined)
    throw new SetupError(
      `there is no key for ${OPENAI_HOST}`,
      "set it before the command: export NUTHATCH_LLM_KEY=…, or name another endpoint with --llm-url",
    );
  return { model, url, key };
}

const isLocalOrAllowed = ({ hostname, port }: URL, allowPrivate: readonly string[]) =>
  LOOPBACK.test(hostname) || new PrivateHosts(allowPrivate).allows(hostname, Number(port) || 80, hostname.replace(/^\[|\]$/g, ""));
