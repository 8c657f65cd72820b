import { access, constants, stat } from "node:fs/promises";
import type { App } from "../app.ts";
import { type Config, resolveConfig, SetupError } from "../config/index.ts";
import type { CrawlEvent, LinkFate, RunResult } from "../crawl/index.ts";
import { PageDirectory } from "../export/index.ts";
import { seedsBy } from "../seed.ts";
import { resolve } from "../url/index.ts";
import { crawl } from "./crawl.ts";

export interface TseRequest {
  readonly seed: string;
  readonly pageDirectory: string;
  readonly maxDepth: number;
  /** URLs under this prefix are internal. */
  readonly internal: string;
}

const usage = "crawler seedURL pageDirectory maxDepth";

/** Everything about the arguments that can be wrong is found before the network is used. */
export async function checkTse(args: readonly string[], internal: string | undefined): Promise<TseRequest> {
  const [seedText, pageDirectory, depthText] = args;
  if (args.length !== 3 || seedText === undefined || pageDirectory === undefined || depthText === undefined) {
    throw new SetupError(`three arguments are needed, ${args.length} were given`, `usage: ${usage}`);
  }
  const seed = normal(seedText);
  if (!seed) throw new SetupError(`seedURL ${seedText} is not an http or https URL`, `usage: ${usage}`);
  if (!/^\d+$/.test(depthText) || Number(depthText) > 10) {
    throw new SetupError(`maxDepth ${depthText} is not a whole number from 0 to 10`, `usage: ${usage}`);
  }
  await checkDirectory(pageDirectory);
  const prefix = internal === undefined ? `${new URL(seed).origin}/` : normal(internal);
  if (!prefix)
    throw new SetupError(`--internal ${internal} is not an http or https URL`, "give the beginning of the URLs that count as internal");
  if (!seed.startsWith(prefix))
    throw new SetupError(`seedURL ${seed} is not internal: it does not begin with ${prefix}`, "choose another seed or another --internal");
  return { seed, pageDirectory, maxDepth: Number(depthText), internal: prefix };
}

const normal = (url: string) => resolve(url, undefined, { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY })?.key;

async function checkDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new SetupError(`pageDirectory ${path} is not a directory`, `make it first: mkdir ${path}`);
  await access(path, constants.W_OK).catch((cause: unknown) => {
    throw new SetupError(`pageDirectory ${path} cannot be written`, "check its permissions", { cause });
  });
}

/** The plain crawl of the Tiny Search Engine: breadth first, one page a second, nothing clever. */
const tseConfig = ({ maxDepth }: TseRequest): Config => resolveConfig([{ from: "tse", values: { preset: "tse", maxDepth } }]);

/** Crawls and saves each page as it comes. `say` gets the progress lines of the course. */
export async function tse(
  app: App,
  request: TseRequest,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<{ result: RunResult; saved: number }> {
  const directory = await PageDirectory.open(request.pageDirectory);
  let saving = Promise.resolve();
  const line = (depth: number, word: string, url: string) =>
    say(`${String(depth).padStart(2)} ${" ".repeat(depth)}${word.padStart(9)}: ${url}`);
  const { control } = await crawl(app, {
    seeds: seedsBy("person", [request.seed]),
    config: tseConfig(request),
    mode: "new",
    home: [request.internal],
    wantsLinks: true,
    emit: (event: CrawlEvent) => {
      if (event.type === "page.fetched") {
        const { page } = event;
        line(page.depth, "Fetched", page.url);
        if (page.depth < request.maxDepth) line(page.depth, "Scanning", page.url);
        saving = saving.then(async () => {
          const [version] = await app.store.versions(page.id);
          const body = version?.bodyHash ? await app.store.body(version.bodyHash) : undefined;
          await directory.save({ url: page.url, depth: page.depth, body: body ?? new Uint8Array() });
        });
      }
      if (event.type === "link.heard" && event.via === "link" && event.depth <= request.maxDepth) {
        line(event.depth - 1, "Found", event.url);
        line(event.depth - 1, wordFor(event.fate), event.url);
      }
    },
  });
  signal.addEventListener("abort", () => control.stop());
  const result = await control.result;
  await saving;
  return { result, saved: directory.saved };
}

function wordFor(fate: LinkFate): string {
  if (fate === "added") return "Added";
  if (fate === "known") return "IgnDupl";
  return fate.startsWith("robots.") ? "IgnRobot" : "IgnExtrn";
}
