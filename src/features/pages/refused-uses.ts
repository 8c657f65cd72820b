import { contentSignals, productTokenOf } from "../../analysis/robots/index.ts";
import { originOf } from "../../analysis/url/index.ts";
import type { App } from "../../engine/app.ts";

const uses: Readonly<Record<string, string>> = {
  "ai-input": "its text given to a model",
  "ai-train": "models trained with it",
};

/** Uses that a site's robots.txt refuses, such as AI input: the user is informed and decides. Undefined if it refuses none. */
export async function refusedUses({ store }: App, url: string, userAgent = "nuthatch"): Promise<string | undefined> {
  const stored = await store.robots(originOf(url));
  const signals = contentSignals(stored?.text ?? "", productTokenOf(userAgent));
  const refused = Object.keys(uses).filter((use) => signals.get(use) === false);
  if (refused.length === 0) return undefined;
  const signalText = refused.map((use) => `${use}=no`).join(", ");
  return `${originOf(url)}/robots.txt says Content-Signal: ${signalText}: it does not want ${refused.map((use) => uses[use]).join(" or ")}`;
}
