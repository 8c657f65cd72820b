import { compileScope, hash64, isSortedListing, keyOptionsOf, originOf, resolve } from "../../analysis/url/index.ts";
import type { StopReason } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { Config } from "../../engine/config/index.ts";
import { pauseText } from "../../engine/crawl/index.ts";
import { isSignedIn } from "../../engine/fetch/index.ts";
import { type Decision, type Run, stopReasonOf } from "../../store/index.ts";
import { hintFor } from "../crawl/crawl.ts";
import { hostStatus, pauseOf } from "../hosts/hosts.ts";
import { findRun, pageByUrl } from "../pages/find.ts";
import { reasonSentence, reasons } from "./reasons.ts";

export interface Explanation {
  readonly url: string;
  /** At most two sentences: what happened, and why. */
  readonly sentence: string;
  readonly verdict: string;
  readonly reason: string;
  readonly rule: string;
  readonly run: number | null;
  /** How the URL was discovered, from the seed down. */
  readonly chain: readonly string[];
  readonly decision: Decision | null;
}

const verdictSentence: Record<Decision["verdict"], string> = {
  fetched: "Visited",
  "not-modified": "Visited; the server said it has not changed",
  queued: "Waiting for its turn",
  deferred: "Put off",
  skipped: "Not visited",
  failed: "Tried without success",
};

/** Why a URL was crawled or not. Uses the ledger; for a URL not in it, evaluates the rules again. */
export async function explain(app: App, given: { url: string; run?: number | undefined }): Promise<Explanation> {
  const runs = given.run === undefined ? await app.store.runs({ limit: 50 }) : [await findRun(app, String(given.run))];
  for (const run of runs) {
    const resolved = resolve(given.url, undefined, keyOptionsOf(Config.parse(run.options)));
    if (!resolved) break;
    for await (const decision of app.store.decisions({ runId: run.id, hash: hash64(resolved.key, app.store.hashSeed) })) {
      return explainDecision(app, given.url, run, decision, resolved.cut);
    }
  }
  if (runs[0]?.prunedAt !== undefined) return explainPruned(app, given.url, runs[0]);
  const undiscovered = await explainUndiscovered(app, given.url, runs.find(({ kind }) => kind === "crawl") ?? runs[0]);
  const pruned = runs.filter(({ prunedAt }) => prunedAt !== undefined).length;
  return pruned === 0
    ? undiscovered
    : {
        ...undiscovered,
        sentence: `${undiscovered.sentence} What ${pruned} earlier ${pruned === 1 ? "run" : "runs"} decided was removed (nuthatch prune).`,
      };
}

/** The ledger of the run was pruned, so the reason is lost. */
async function explainPruned(app: App, url: string, run: Run): Promise<Explanation> {
  const nothing = { url, verdict: "unknown", reason: "pruned", rule: "", run: run.id, chain: [], decision: null };
  const page = await pageByUrl(app, url);
  const removed = `What run ${run.id} decided was removed on ${new Date(run.prunedAt!).toISOString().slice(0, 10)} (nuthatch prune), so why is no longer known.`;
  return { ...nothing, sentence: page ? `${removed} The page itself is stored: nuthatch show ${page.url} prints it.` : removed };
}

async function explainDecision(app: App, url: string, run: Run, decision: Decision, isCut: boolean): Promise<Explanation> {
  const limit = decision.verdict === "queued" && run.stopReason?.startsWith("limit.") ? (run.stopReason as "limit.pages") : undefined;
  const reason = isCut ? "params-cut" : (limit ?? decision.reason);
  const replacement = isCut
    ? reasons["params-cut"]
    : isSortedListing(url) && "It only sorts a directory listing, so it was taken for the listing itself.";
  const cutNote = replacement ? `${replacement} That is ${decision.url}. ` : "";
  const why = decision.reason === "ok" && !limit ? "" : ` ${reasonSentence(limit ?? decision.reason)}`;
  const due = decision.via === "due" ? " Its time to be looked at again had come." : "";
  const rule = decision.rule === "" ? "" : ` (${decision.rule})`;
  const status = decision.status === null ? "" : `, answered ${decision.status}`;
  const pause = decision.verdict === "queued" ? pauseOf(await hostStatus(app, decision.url)) : undefined;
  const wait = pause ? ` ${pauseText(pause, app.world.clock.wall())}.` : "";
  const isLeft = decision.verdict === "queued" && !app.store.isAlive(run);
  const left = isLeft && !limit ? leftIn(run, url) : "";
  const verdict = isLeft ? (decision.reason === "ok" ? "Not visited" : "Tried without success so far") : verdictSentence[decision.verdict];
  const outcome = `${verdict} in run ${run.id}${status}.${due}${why}`;
  return {
    url,
    sentence: `${cutNote}${outcome.replace(/\.$/, "")}${rule}.${left}${wait}`,
    verdict: decision.verdict,
    reason,
    rule: decision.rule,
    run: run.id,
    chain: await chainOf(app, decision),
    decision,
  };
}

/** Why a URL stayed in the queue of a run that nobody works at. */
function leftIn(run: Run, url: string): string {
  const troubles = (run.state.troubles ?? {}) as Readonly<Record<string, string>>;
  const trouble = troubles[originOf(url)];
  const ended = endWords[stopReasonOf(run, false) ?? "died"] ?? "The run ended before its turn";
  return ` ${ended}${trouble === undefined ? "" : `: ${trouble}`}. nuthatch resume ${run.id} asks for it.`;
}

const endWords: Readonly<Partial<Record<StopReason, string>>> = {
  stopped: "The run was stopped before its turn",
  deferred: "The run ended because its host has to wait",
  died: "The run died before its turn",
  failed: "The run failed before its turn",
  hung: "The run stood still and was ended before its turn",
};

async function chainOf(app: App, decision: Decision): Promise<string[]> {
  const chain: string[] = [];
  let current: Decision | undefined = decision;
  while (current && chain.length < 100) {
    chain.unshift(current.url);
    current = current.parentId === null ? undefined : await app.store.decision(current.parentId);
  }
  return chain;
}

async function explainUndiscovered({ store }: App, url: string, run: Run | undefined): Promise<Explanation> {
  const nothing = { url, verdict: "unheard", rule: "", run: run?.id ?? null, chain: [], decision: null };
  if (!run) return { ...nothing, reason: "unheard", sentence: "Never heard of: there has been no run yet." };
  const config = Config.parse(run.options);
  const resolved = resolve(url, undefined, keyOptionsOf(config));
  if (!resolved) {
    const isAbsolute = URL.canParse(url);
    const sentence = isAbsolute ? `Cannot be crawled. ${reasons.scheme}` : `Not a whole URL: ${hintFor(url)}`;
    return { ...nothing, reason: "scheme", sentence };
  }
  const scope = compileScope([...run.seeds, ...(await store.extraSeeds(run.id))], { ...config, isSignedIn: isSignedIn(config) })(
    resolved.url,
  );
  const sentence = scope.ok
    ? `Never heard of: no page or sitemap seen in run ${run.id} mentions it. It would be in scope; name it as a seed to visit it.`
    : `Never heard of in run ${run.id}. It would be skipped: ${reasonSentence(scope.reason).toLowerCase().replace(/\.$/, "")} (${scope.rule}).`;
  return { ...nothing, reason: "unheard", rule: scope.ok ? "" : scope.rule, sentence };
}
