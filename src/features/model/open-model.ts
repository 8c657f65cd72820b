import { type Model, openModel, parsePrice, Spending } from "../../engine/ai/index.ts";
import type { App } from "../../engine/app.ts";
import { type Config, SetupError } from "../../engine/config/index.ts";
import { parseRetryAfter } from "../../engine/fetch/index.ts";
import { accessFor } from "../../engine/network-access.ts";
import { modelEndpoint } from "./model-endpoint.ts";

const MAX_CONNECTIONS = 4;

/** Opens the configured model. Naming an endpoint permits requests to exactly that address, even a private one, and to no other. */
export async function openModelFor(app: App, config: Config): Promise<Model> {
  const endpoint = modelEndpoint(config);
  if (!endpoint) throw new SetupError("there is no model to ask", "name one: --llm gpt-4o-mini");
  const { Agent, ProxyAgent } = await import("undici");
  const { url, model, key } = endpoint;
  const access = accessFor(config, []);
  const isSecure = url.protocol === "https:";
  const proxy = access?.proxyFor({ hostname: url.hostname, port: Number(url.port) || (isSecure ? 443 : 80), isSecure });
  const trust = access?.trust && { secureContext: access.trust };
  const common = { connections: MAX_CONNECTIONS };
  return openModel({
    ...{ model, key, url: url.href, timeout: config.llmTimeout, clock: app.world.clock, retryAfter: parseRetryAfter },
    dispatcher: proxy
      ? new ProxyAgent({
          ...common,
          uri: `http://${proxy.name}`,
          ...(proxy.authorization && { token: proxy.authorization }),
          ...(trust && { requestTls: trust }),
        })
      : new Agent({ ...common, ...(trust && { connect: trust }) }),
  });
}

/** The token and money budget of a run for its model, and what is used of it. */
export const spendingFor = ({ llmTokens: tokens, llmBudget: usd, llmPrice }: Config): Spending =>
  new Spending({ tokens, usd, price: llmPrice === undefined ? undefined : parsePrice(llmPrice) });
