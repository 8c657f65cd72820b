import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import { type FillTools, type ReadAgain, readAgain } from "../enhance/index.ts";
import type { Spacing } from "../frontier/index.ts";
import type { Fetched } from "../records.ts";
import { type Seed, seedsBy } from "../seed.ts";
import type { PageToFill } from "../store/index.ts";
import { onePage } from "./one-page.ts";
import { type PassingRun, passingRun, tooLongAWait } from "./passing-run.ts";

interface RefetchSetup {
  readonly config: Config;
  /** URLs of pages and who named them; a URL that comes only from the store opens no private host. */
  readonly named: readonly Seed[];
  readonly spacing: Spacing;
  readonly signal: AbortSignal | undefined;
  readonly tools: FillTools;
}

/** Fetches stored pages again like a crawl, with robots.txt and turns, and reads them. Does not change pages or versions. */
export async function refetch(app: App, pages: readonly PageToFill[], setup: RefetchSetup): Promise<ReadAgain[]> {
  const answers = new Map<string, Promise<ReadAgain>>();
  const run = await passingRun(app, {
    seeds: seedsBy(
      "page",
      pages.map(({ url }) => url),
    ),
    named: setup.named,
    config: onlyThese(setup.config),
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
    return await Promise.all(pages.map(async ({ url }) => answers.get(url) ?? (await refusal(run, url, seeds))));
  } finally {
    setup.signal?.removeEventListener("abort", stop);
    await run.close();
  }
}

async function readAnswer(url: string, fetched: Fetched, tools: FillTools): Promise<ReadAgain> {
  switch (fetched.kind) {
    case "body":
      return readAgain({ url, contentType: fetched.contentType, bytes: fetched.bytes }, tools);
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
async function refusal(run: PassingRun, url: string, seeds: readonly { url: string; verdict: string; rule: string }[]): Promise<ReadAgain> {
  const seed = seeds.find((each) => each.url === url);
  return { reason: seed && seed.verdict !== "queued" ? seed.rule : tooLongAWait(run, url).rule };
}

/** Options for stored pages: no limits of scope or number. */
const onlyThese = (config: Config): Config => ({ ...onePage(config, false), maxPages: Number.POSITIVE_INFINITY });
