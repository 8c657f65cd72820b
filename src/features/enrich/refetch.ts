import type { Fetched } from "../../core/records.ts";
import { type Seed, seedsBy } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import { type FillTools, type RereadResult, rereadPage } from "../../engine/enhance/index.ts";
import type { Spacing } from "../../engine/frontier/index.ts";
import type { PageToFill } from "../../store/index.ts";
import { hostWaitReason, startTemporaryRun, type TemporaryRun } from "../crawl/temporary-run.ts";
import { singlePageConfig } from "../fetch-page/one-page.ts";

interface RefetchSetup {
  readonly config: Config;
  /** URLs of pages and who named them; a URL that comes only from the store opens no private host. */
  readonly named: readonly Seed[];
  readonly spacing: Spacing;
  readonly signal: AbortSignal | undefined;
  readonly tools: FillTools;
}

/** Fetches stored pages again like a crawl, with robots.txt and turns, and reads them. Does not change pages or versions. */
export async function refetch(app: App, pages: readonly PageToFill[], setup: RefetchSetup): Promise<RereadResult[]> {
  const answers = new Map<string, Promise<RereadResult>>();
  const run = await startTemporaryRun(app, {
    seeds: seedsBy(
      "page",
      pages.map(({ url }) => url),
    ),
    named: setup.named,
    config: refetchConfig(setup.config),
    spacing: setup.spacing,
    readsNothing: true,
    onFetched: ({ url, accept }, fetched) => {
      if (accept === "page") answers.set(url, readAnswer(url, fetched, setup.tools));
    },
  });
  const stop = () => run.control.abort();
  setup.signal?.addEventListener("abort", stop, { once: true });
  try {
    const { seeds } = await run.control.result;
    return await Promise.all(pages.map(async ({ url }) => answers.get(url) ?? (await refusalOf(run, url, seeds))));
  } finally {
    setup.signal?.removeEventListener("abort", stop);
    await run.close();
  }
}

async function readAnswer(url: string, fetched: Fetched, tools: FillTools): Promise<RereadResult> {
  switch (fetched.kind) {
    case "body":
      return rereadPage({ url, contentType: fetched.contentType, bytes: fetched.bytes }, tools);
    case "moved":
      return { reason: `moved to ${fetched.location}` };
    case "refused":
      return { reason: fetched.rule };
    case "failed":
      return { reason: fetched.detail };
    case "gone":
      return { reason: `answered ${fetched.status}` };
    case "not-modified":
      return { reason: "answered 304 to a question without a condition" };
    default:
      return fetched satisfies never;
  }
}

/** Why a URL was never requested. */
async function refusalOf(
  run: TemporaryRun,
  url: string,
  seeds: readonly { url: string; verdict: string; rule: string }[],
): Promise<RereadResult> {
  const seed = seeds.find((each) => each.url === url);
  return { reason: seed && seed.verdict !== "queued" ? seed.rule : hostWaitReason(run, url).rule };
}

/** Options for stored pages: no limits of scope or number. */
const refetchConfig = (config: Config): Config => ({ ...singlePageConfig(config, false), maxPages: Number.POSITIVE_INFINITY });
