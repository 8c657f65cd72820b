import { access, constants, stat } from "node:fs/promises";
import { resolve } from "../../analysis/url/index.ts";
import type { Page, Reason, Verdict } from "../../core/records.ts";
import { seedsBy } from "../../core/seed.ts";
import { hasUserInfo } from "../../core/typed-url.ts";
import type { App } from "../../engine/app.ts";
import { type Config, resolveConfig, SetupError } from "../../engine/config/index.ts";
import type { CrawlEvent, LinkResult, RunResult } from "../../engine/crawl/index.ts";
import { PageDirectory } from "../../engine/formats/index.ts";
import { crawl } from "../crawl/crawl.ts";
import { reasonSentence } from "../explain/reasons.ts";

export interface TseRequest {
  readonly seed: string;
  readonly pageDirectory: string;
  readonly maxDepth: number;
  /** URLs under this prefix are internal. */
  readonly internal: string;
}

const usage = "crawler seedURL pageDirectory maxDepth";

/** Validates all arguments before the network is used. */
export async function checkTse(args: readonly string[], internal: string | undefined): Promise<TseRequest> {
  const [seedText, pageDirectory, depthText] = args;
  if (args.length !== 3 || seedText === undefined || pageDirectory === undefined || depthText === undefined) {
    throw new SetupError(`three arguments are needed, ${args.length} were given`, `usage: ${usage}`);
  }
  const seed = normalizedUrl(seedText);
  if (!seed) throw new SetupError(`seedURL ${seedText} is not an http or https URL`, `usage: ${usage}`);
  if (hasUserInfo(seedText))
    throw new SetupError(
      "seedURL has a user or a password, which are never sent",
      `leave them out: crawler ${seed} pageDirectory maxDepth`,
    );
  if (!/^\d+$/.test(depthText) || Number(depthText) > 10) {
    throw new SetupError(`maxDepth ${depthText} is not a whole number from 0 to 10`, `usage: ${usage}`);
  }
  await checkDirectory(pageDirectory);
  const prefix = internal === undefined ? `${new URL(seed).origin}/` : normalizedUrl(internal);
  if (!prefix)
    throw new SetupError(`--internal ${internal} is not an http or https URL`, "give the beginning of the URLs that count as internal");
  if (!seed.startsWith(prefix))
    throw new SetupError(`seedURL ${seed} is not internal: it does not begin with ${prefix}`, "choose another seed or another --internal");
  return { seed, pageDirectory, maxDepth: Number(depthText), internal: prefix };
}

const normalizedUrl = (url: string) =>
  resolve(url, undefined, { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY })?.key;

async function checkDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new SetupError(`pageDirectory ${path} is not a directory`, `make it first: mkdir ${path}`);
  if (!found.isDirectory()) throw new SetupError(`pageDirectory ${path} is not a directory`, "name another one");
  const taken = await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    .then(() => PageDirectory.existingFiles(path))
    .catch((cause: unknown) => {
      throw new SetupError(`pageDirectory ${path} cannot be read and written`, "check its permissions", { cause });
    });
  if (taken.length > 0) throw new SetupError(inUse(path, taken), "name an empty directory, or remove these files first");
}

function inUse(path: string, taken: readonly string[]): string {
  const more = taken.length > 3 ? ` and ${taken.length - 3} more` : "";
  return `pageDirectory ${path} is in use: it holds ${taken.slice(0, 3).join(", ")}${more}, which the crawl would write`;
}

/** The plain crawl of the Tiny Search Engine: breadth first, one page per second, no heuristics. */
const tseConfig = ({ maxDepth }: TseRequest): Config => resolveConfig([{ from: "tse", values: { preset: "tse", maxDepth } }]);

/** A discovered URL without a file. */
export interface UnsavedUrl {
  readonly url: string;
  readonly depth: number;
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly why: string;
}

export interface TseResult {
  readonly result: RunResult;
  readonly saved: number;
  /** Every added URL without a file, with the reason. */
  readonly unsaved: readonly UnsavedUrl[];
}

/** Crawls and saves each page as it arrives. `say` gets the progress lines of the course; `warn` is called when a host has to wait. */
export async function tse(
  app: App,
  request: TseRequest,
  { say, warn, signal }: { readonly say: (line: string) => void; readonly warn: (line: string) => void; readonly signal: AbortSignal },
): Promise<TseResult> {
  const directory = await PageDirectory.open(request.pageDirectory).catch((cause: unknown) => {
    throw new SetupError(inUse(request.pageDirectory, [".crawler"]), "name an empty directory, or remove these files first", { cause });
  });
  const saver = new PageSaver(app, directory);
  const line = (depth: number, word: string, url: string) =>
    say(`${String(depth).padStart(2)} ${" ".repeat(depth)}${word.padStart(9)}: ${url}`);
  let isSaved = false;
  const settled = (event: Extract<CrawlEvent, { type: "url.settled" }>) => {
    const why = event.rule || reasonSentence(event.reason);
    // A failed seed is reported at the end, when nothing could be saved.
    if (event.depth > 0) line(event.depth, outcomeWord(event.verdict), `${event.url} (${why})`);
  };
  try {
    const { control } = await crawl(app, {
      seeds: seedsBy("person", [request.seed]),
      config: tseConfig(request),
      mode: "new",
      home: [request.internal],
      wantsLinks: true,
      emit: (event: CrawlEvent) => {
        if (event.type === "page.fetched") {
          const { page } = event;
          isSaved = true;
          line(page.depth, "Fetched", page.url);
          if (page.depth < request.maxDepth) line(page.depth, "Scanning", page.url);
          saver.add(page, () => control.stop());
        }
        if (event.type === "url.settled") {
          // A saved page has already been reported.
          if (!isSaved) settled(event);
          isSaved = false;
        }
        if (event.type === "host.slowed") warn(`${event.host} is asked again in ${Math.ceil(event.waitMs / 1000)} s (${event.cause})`);
        if (event.type === "link.heard" && event.via === "link" && event.depth <= request.maxDepth) {
          line(event.depth - 1, "Found", event.url);
          line(event.depth - 1, linkResultWord(event.fate), event.url);
        }
      },
    });
    signal.addEventListener("abort", () => control.stop());
    const result = await control.result;
    await saver.end();
    const unsaved = await unsavedOf(app, result, saver.urls);
    for (const { url, depth, verdict } of unsaved) if (verdict === "queued" && depth > 0) line(depth, "Left", url);
    return { result, saved: directory.saved, unsaved };
  } finally {
    await directory.close();
  }
}

/** Writes pages one after the other, in order of arrival. */
class PageSaver {
  readonly urls = new Set<string>();
  readonly #app: App;
  readonly #directory: PageDirectory;
  #last: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(app: App, directory: PageDirectory) {
    this.#app = app;
    this.#directory = directory;
  }

  add({ id, url, depth }: Page, stop: () => void): void {
    this.urls.add(url);
    this.#last = this.#last.then(async () => {
      if (this.#failure !== undefined) return;
      try {
        const [version] = await this.#app.store.versions(id);
        const body = version?.bodyHash ? await this.#app.store.body(version.bodyHash) : undefined;
        await this.#directory.save({ url, depth, body: body ?? new Uint8Array() });
      } catch (cause) {
        this.#failure = cause;
        stop();
      }
    });
  }

  async end(): Promise<void> {
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Added URLs without a file. URLs that a rule rejected before they were added were reported when they were found. */
async function unsavedOf({ store }: App, { runId }: RunResult, saved: ReadonlySet<string>): Promise<UnsavedUrl[]> {
  const unsaved: UnsavedUrl[] = [];
  for await (const { kind, url, depth, verdict, reason, rule, seq } of store.decisions({ runId })) {
    const wasAdded = seq !== null || verdict === "queued" || verdict === "deferred";
    const why = rule || (verdict === "queued" && reason === "ok" ? "the crawl ended before its turn" : reasonSentence(reason));
    if (kind === "page" && wasAdded && !saved.has(url)) unsaved.push({ url, depth, verdict, reason, why });
  }
  return unsaved;
}

function linkResultWord(fate: LinkResult): string {
  if (fate === "added") return "Added";
  if (fate === "known") return "IgnDupl";
  return fate.startsWith("robots.") ? "IgnRobot" : "IgnExtrn";
}

/** The word for an added URL without a file. */
function outcomeWord(verdict: Verdict): string {
  if (verdict === "queued") return "Retry";
  if (verdict === "fetched" || verdict === "not-modified") return "Moved";
  return verdict === "failed" ? "Failed" : "Skipped";
}
