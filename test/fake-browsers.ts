import type { Browsers, EngineName, RenderRequest } from "../dist/src/engine/browser/index.js";
import { bodyAnswer, markTurnSpent, readHead } from "../dist/src/engine/fetch/index.js";

/** What an engine makes of a page: HTML, or that it was not let in, or fell over it. */
export type Shown = string | { readonly status: 403 } | { readonly reason: "render.crash" | "render.timeout" };

export interface FakeBrowsers {
  readonly browsers: Browsers;
  /** Every time one was shown a page (`given`) or asked for it (`asked`). */
  readonly log: { readonly engine: EngineName; readonly path: string; readonly how: "given" | "asked"; readonly at: number }[];
  /** Whose time it is. */
  clock: { now(): number };
}

const timing = { startedAt: 0, duration: 0 };

/** Browsers for what a crawl does with them; turns are spent as real ones spend them. */
export function fakeBrowsers(
  show: (engine: EngineName, path: string, ask: RenderRequest) => Shown,
  engines: readonly EngineName[] = ["chromium"],
): FakeBrowsers {
  const log: FakeBrowsers["log"] = [];
  const browsers: Browsers = {
    engines,
    close: async () => undefined,
    render: async (engine, ask) => {
      const isGiven = "kind" in ask.document;
      const { pathname } = new URL(ask.url);
      log.push({ engine, path: pathname, how: isGiven ? "given" : "asked", at: fake.clock.now() });
      const shown = show(engine, pathname, ask);
      // One that does not start has not asked.
      if ("host" in ask.document) markTurnSpent({ url: ask.url, turn: ask.document, accept: "page" });
      const rest = { isQuiet: true, requests: 1, refused: 0 };
      if (typeof shown === "string") {
        const body = bodyAnswer(200, readHead(["content-type", "text/html; charset=utf-8"]), Buffer.from(shown), 0);
        const picture = ask.wantsPicture
          ? ({ bytes: Buffer.from(`picture of ${shown}`), type: "image/jpeg", width: 8, height: 6 } as const)
          : undefined;
        return { ...rest, fetched: { ...body, timing } as Extract<typeof body, { kind: "body" }> & { timing: typeof timing }, picture };
      }
      if ("reason" in shown)
        return {
          ...rest,
          fetched: {
            kind: "failed",
            reason: shown.reason,
            detail: "fell over",
            status: undefined,
            mayHeal: shown.reason === "render.crash",
            hostFault: false,
            retryAfter: undefined,
            timing,
          },
        };
      return {
        ...rest,
        fetched: {
          kind: "refused",
          by: "server",
          reason: "http.4xx",
          rule: "answered 403 Forbidden",
          status: 403,
          retryAfter: undefined,
          timing,
        },
      };
    },
  };
  const fake: FakeBrowsers = { browsers, log, clock: { now: () => 0 } };
  return fake;
}
