import { compileScope, keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import { opensPrivate, type Seed } from "../../core/seed.ts";
import { hasUserInfo } from "../../core/typed-url.ts";
import type { App } from "../../engine/app.ts";
import { type Config, SetupError, storedForm } from "../../engine/config/index.ts";
import type { CrawlEvent, Hooks, RunChange, RunControl } from "../../engine/crawl/index.ts";
import { storedAccessOptions } from "../../engine/fetch/index.ts";
import { accessFor } from "../../engine/network-access.ts";
import { hasEnded, type Run, type Site } from "../../store/index.ts";
import { modelEndpoint } from "../model/model-endpoint.ts";
import { withEnhancing } from "./enhance-phase.ts";
import { resumeCommandOf, watchHostSettings, watchStopRequest } from "./run-control.ts";

export { checkBrowsers } from "../../engine/network-access.ts";

export interface CrawlRequest {
  readonly seeds: readonly Seed[];
  readonly config: Config;
  /** Resume an unfinished run of the same site if there is one, always, or never. */
  readonly mode: "auto" | "resume" | "new";
  readonly home?: readonly string[] | undefined;
  readonly emit: (event: CrawlEvent) => void;
  /** Called in mode "auto" before an unfinished run is resumed; false starts a new run. */
  readonly carriesOn?: ((unfinished: Run) => Promise<boolean>) | undefined;
  /** Called with the run that will be resumed, if any, before anything is written or requested; may throw to prevent it. */
  readonly beforeRun?: (resumed: Run | undefined) => void;
  /** Whether to emit an event for every link. */
  readonly wantsLinks?: boolean | undefined;
  /** Returns a promise while the consumer of the pages needs a pause: no further visit starts before it resolves. */
  readonly mayGoOn?: (() => Promise<void> | undefined) | undefined;
  /** Hooks of the run's plugins. */
  readonly hooks?: Hooks | undefined;
}

/** Starts a run with this event listener. */
export type StartRun = (emit: CrawlRequest["emit"]) => Promise<RunControl>;

export interface Crawl {
  readonly run: Run;
  readonly isResumed: boolean;
  /** Why an unfinished run was not resumed. */
  readonly notice: string | undefined;
  readonly control: RunControl;
  /** Resolves when another process has asked this run to stop, which it then does. */
  readonly stopWanted: Promise<void>;
}

const MODEL_OPTIONS = ["llm", "llmUrl", "llmTokens", "llmBudget", "llmPrice", "llmTimeout"];
/** Options that may differ when a run is resumed: they change its speed or extent, not its results. */
const CHANGEABLE_ON_RESUME = new Set([
  "excludeFrom",
  "maxPages",
  "maxTime",
  "maxBytes",
  "maxConcurrent",
  "readers",
  "timeout",
  "retries",
  "contact",
  "maxWait",
  "scorer",
  "scoreRatio",
  "keepVersions",
  "prune",
  "enhance",
  "cascade",
  "topics",
  ...MODEL_OPTIONS,
]);

/** Options that may change while several processes work on a run. */
export const CHANGEABLE = ["include", "exclude", "rateLimit", "maxPages", "priority"] as const satisfies readonly (keyof RunChange)[];

/** Starts a crawl, or resumes an interrupted one. */
export async function crawl(app: App, request: CrawlRequest): Promise<Crawl> {
  const { config } = request;
  const seeds = checkCrawl(request.seeds, config);
  await app.world.checkBrowsers?.(config);
  const sites = await app.store.sitesAt(seeds);
  const unfinished = request.mode === "new" ? undefined : await findUnfinished(app, sites);
  const resumeProblem = unfinished && resumeObstacle(app, unfinished, config);
  if (unfinished && !resumeProblem && (await shouldResume(app, request, unfinished))) {
    request.beforeRun?.(unfinished);
    const run = await app.store.resumeRun(unfinished.id, app.world.clock.wall(), {
      ...resumeValues(app, unfinished, config),
      // A host named by others before and by a person now becomes open.
      seeds: seeds.filter(({ namedBy }) => opensPrivate[namedBy]),
    });
    return startControl(app, request, run, { isResumed: true, notice: undefined });
  }
  if (request.mode === "resume") throw resumeProblem ? notAsStarted(unfinished!, resumeProblem) : await nothingToResume(app, sites);
  request.beforeRun?.(undefined);
  const notice = resumeProblem && `run ${unfinished!.id} is unfinished, but ${resumeProblem}; starting a new run`;
  const run = await app.store.startRun({
    sites,
    seeds,
    options: storedOptions(config),
    at: app.world.clock.wall(),
    keywords: keywordList(config),
  });
  return startControl(app, request, run, { isResumed: false, notice });
}

const notAsStarted = ({ id }: Run, resumeProblem: string) =>
  new SetupError(
    `run ${id} is unfinished, but ${resumeProblem}`,
    `nuthatch resume ${id} carries on with the options it has, or those you give; leave out --resume to start a new run`,
  );

/** A run that reached a limit is only carried on with a higher one. */
async function nothingToResume(app: App, sites: readonly Site[]): Promise<SetupError> {
  const last = await latestOf(app, sites);
  if (!last || last.prunedAt !== undefined || hasEnded(last))
    return new SetupError("there is no unfinished run of this site", "leave out --resume to start a new one");
  return new SetupError(
    `run ${last.id} of this site ended at its limit (${last.stopReason})`,
    `${resumeCommandOf(last)}, or leave out --resume to start a new run`,
  );
}

function resumeObstacle({ unsafeReason }: App, run: Run, config: Config): string | undefined {
  if (unsafeReason !== undefined) return `its data file ${unsafeReason}`;
  const difference = changedOption(run, config);
  return difference && `was started with another ${difference}`;
}

/** Does not ask for a run that another process is crawling: the store refuses it anyway. */
async function shouldResume(app: App, { mode, carriesOn: confirmResume }: CrawlRequest, unfinished: Run): Promise<boolean> {
  if (mode === "resume" || !confirmResume || app.store.isAlive(unfinished)) return true;
  return confirmResume(unfinished);
}

/** Resumes a run by its number, with its own options and those given now. */
export async function resumeRun(
  app: App,
  run: Run,
  request: Pick<CrawlRequest, "config" | "emit" | "beforeRun" | "wantsLinks" | "mayGoOn">,
): Promise<Crawl> {
  if (run.kind !== "crawl")
    throw new SetupError(
      `run ${run.id} is no crawl: it looked at pages for a context`,
      `nuthatch context ${run.sites[0]?.url} makes it anew`,
    );
  if (hasEnded(run))
    throw new SetupError(
      `run ${run.id} is ${run.status}: there is nothing to resume`,
      `crawl again with nuthatch crawl ${run.seeds.join(" ")}`,
    );
  if (app.unsafeReason !== undefined)
    throw new SetupError(
      `run ${run.id} is not carried on: its data file ${app.unsafeReason}`,
      `crawl again with nuthatch crawl ${run.seeds.join(" ")}, or make the file yours alone (chown, chmod go-w)`,
      {
        cause: new Error(
          "a run says what is asked for and who named it, so that it is believed only where nobody but you and root can write it",
        ),
      },
    );
  accessFor(request.config, []);
  modelEndpoint(request.config);
  await app.world.checkBrowsers?.(request.config);
  if (run.prunedAt !== undefined)
    throw new SetupError(
      `run ${run.id} cannot be resumed: its ledger was removed`,
      `crawl again with nuthatch crawl ${run.seeds.join(" ")}`,
    );
  request.beforeRun?.(run);
  const resumed = await app.store.resumeRun(run.id, app.world.clock.wall(), resumeValues(app, run, request.config));
  return startControl(app, request, resumed, { isResumed: true, notice: undefined });
}

/** Joins a run that another process leads. Emits no events: the leader does. */
export async function joinRun(app: App, run: Run, config: Config): Promise<RunControl> {
  accessFor(config, []);
  await app.world.checkBrowsers?.(config);
  await app.store.workers.join(run);
  const keywords = await storedKeywords(app, run);
  const hasHistory = await app.store.hasOtherRuns(run);
  return app.crawl(run, withLinkRows({ ...config, keywords }), { isResumed: true, isHand: true, hasHistory, emit: () => undefined });
}

async function startControl(
  app: App,
  request: Pick<CrawlRequest, "config" | "emit" | "home" | "mayGoOn" | "wantsLinks" | "hooks">,
  run: Run,
  resumption: { isResumed: boolean; notice: string | undefined },
): Promise<Crawl> {
  const hasHistory = await app.store.hasOtherRuns(run);
  const isGiven = Object.keys(request.config.keywords).length > 0;
  const config = isGiven ? request.config : { ...request.config, keywords: await storedKeywords(app, run) };
  const startCrawl: StartRun = (emit) =>
    app.crawl(run, withLinkRows(config), { ...request, emit, isResumed: resumption.isResumed, hasHistory });
  const start: StartRun = config.enhance ? (emit) => withEnhancing(app, run, { config, emit, start: startCrawl }) : startCrawl;
  const control = config.llm === undefined ? await start(request.emit) : await withModel(app, run, request, start);
  watchHostSettings(app, control);
  return { run, ...resumption, control, stopWanted: watchStopRequest(app, run, control) };
}

/** The format in which the sites store them. Without keywords, those of the sites are used. */
const keywordList = ({ keywords }: Config) => Object.entries(keywords).map(([word, weight]) => ({ word, weight }));

/** The keywords and options stored when a run is resumed. Other worker processes read changed options from there. */
const resumeValues = ({ store }: App, run: Run, config: Config) => ({
  keywords: keywordList(config),
  options: {
    ...run.options,
    ...pick(storedOptions(config), LIMITS),
    ...(store.workers.canShare && { ...pick(storedOptions(config), CHANGEABLE), allowPrivate: config.allowPrivate }),
  },
});

/** Limits of a run. They are stored again when it is resumed, so that lists of runs name the limit that ended it. */
const LIMITS = ["maxPages", "maxTime", "maxBytes"] as const;

const pick = (options: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, options[name]]));

async function storedKeywords({ store }: App, { sites }: Run): Promise<Config["keywords"]> {
  const stored = await store.links.keywordsOfAny(sites.map(({ id }) => id));
  return Object.fromEntries(stored.map(({ word, weight }) => [word, weight]));
}

/** Store link rows, because a model also judges links in which the embedded scorer found no match. */
const withLinkRows = (config: Config): Config =>
  config.llm === undefined || Object.keys(config.keywords).length === 0 || config.save.includes("links")
    ? config
    : { ...config, save: [...config.save, "links"] };

/** Calling a model is a separate phase after the crawl. Its modules are loaded only if there is a model. */
async function withModel(
  app: App,
  run: Run,
  { config, emit }: Pick<CrawlRequest, "config" | "emit">,
  start: StartRun,
): Promise<RunControl> {
  const [{ withScoring: thenScore }, { withDescribing: thenDescribe }, { spendingFor }] = await Promise.all([
    import("./scoring-phase.ts"),
    import("./describing-phase.ts"),
    import("../model/open-model.ts"),
  ]);
  const spending = spendingFor(config);
  const startScored: StartRun = (emitScored) => thenScore(app, run, { config, emit: emitScored, start, spending });
  // Links first, so that descriptions cannot use up the budget that was meant for links.
  return config.enhance ? thenDescribe(app, run, { config, emit, start: startScored, spending }) : startScored(emit);
}

/** A hint for typed host names without a scheme; the crawler must not guess it. */
export const hintFor = (text: string): string =>
  /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(text.trim())
    ? `did you mean https://${text.trim()} ?`
    : /^https?:\/\//i.test(text.trim())
      ? "check the name of its host, and its port (1 to 65535) if it has one"
      : "give an address that starts with http:// or https://";

/** Validates the seeds and the scope patterns. Needs no database, so that a mistake creates no file. */
export function checkCrawl(raw: readonly Seed[], config: Config): (Seed & { key: string })[] {
  const options = keyOptionsOf(config);
  const seeds = raw.map(({ url: text, namedBy }) => {
    const seed = resolve(text.trim(), undefined, options);
    if (seed && hasUserInfo(text))
      throw new SetupError(`the URL of ${seed.host} has a user or a password, which are never sent from there`, "--auth user:password");
    if (seed) return { url: seed.url, key: seed.key, namedBy };
    throw new SetupError(`${text.trim() === "" ? '""' : text} is not a URL that can be crawled`, hintFor(text));
  });
  if (seeds.length === 0) throw new SetupError("no seed was given", "name a URL: nuthatch crawl https://example.org");
  const keys = new Set<string>();
  const uniqueSeeds = seeds.filter(({ key }) => keys.size < keys.add(key).size);
  compileScope(
    uniqueSeeds.map(({ url }) => url),
    config,
  );
  accessFor(config, []);
  modelEndpoint(config);
  if (config.save.length > 1 && config.save.includes("none"))
    throw new SetupError(
      "--save none cannot stand beside others",
      `--save none, or --save ${config.save.filter((one) => one !== "none").join(",")}`,
    );
  if (config.save.includes("screenshot") && config.render === "never")
    throw new SetupError("--save screenshot needs a browser, and --render never asks none", "--render always, or --render auto");
  return uniqueSeeds;
}

/** The latest run of exactly these sites, if it ended unfinished. */
async function findUnfinished(app: App, sites: readonly Site[]): Promise<Run | undefined> {
  const latest = await latestOf(app, sites);
  if (!latest || latest.prunedAt !== undefined || hasEnded(latest) || latest.stopReason?.startsWith("limit.")) return undefined;
  return latest;
}

/** The latest run of exactly these sites. */
async function latestOf(app: App, sites: readonly Site[]): Promise<Run | undefined> {
  const ids = sites
    .map(({ id }) => id)
    .sort()
    .join();
  const runs = await app.store.runs({ kind: "crawl", siteId: sites[0]!.id, limit: 20 });
  return runs.find(
    (run) =>
      run.sites
        .map(({ id }) => id)
        .sort()
        .join() === ids,
  );
}

/** Options as stored with a run. Of secrets only their presence is stored, so that a run is not resumed without them. */
export const storedOptions = (config: Config): Record<string, unknown> => ({ ...storedForm(config), ...storedAccessOptions(config) });

function changedOption(run: Run, config: Config): string | undefined {
  const now = storedOptions(config);
  return Object.keys({ ...run.options, ...now }).find(
    (key) => !CHANGEABLE_ON_RESUME.has(key) && JSON.stringify(run.options[key]) !== JSON.stringify(now[key]),
  );
}
