import {
  answerKey,
  BATCH,
  type Judgement,
  type JudgeResult,
  judgeLinks,
  type Model,
  readAnswer,
  type Spending,
  scorerName,
  writeAnswer,
} from "../../engine/ai/index.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { ScoringProgress, ScoringReport } from "../../engine/crawl/index.ts";
import type { GivenLinkMatch, RunRange, Site, UnscoredLink } from "../../store/index.ts";
import { openModelFor, spendingFor } from "../model/open-model.ts";

export interface ScoringRequest {
  readonly config: Config;
  readonly sites: readonly Site[];
  /** Only links of pages that were new or changed in this run, and links that earlier runs left unscored; undefined: all stored links. */
  readonly runId?: number | undefined;
  readonly onProgress: (progress: ScoringProgress) => void;
  /** Ends it after the pending answers. */
  readonly stop: AbortSignal;
  /** Ends it at once. */
  readonly abort: AbortSignal;
  /** A budget shared with other phases; default: its own. */
  readonly spending?: Spending | undefined;
}

/** Links of one site that the model has not judged. */
interface Batch {
  readonly siteId: number;
  readonly keywords: readonly string[];
  readonly links: readonly UnscoredLink[];
}

/** Concurrent requests. The first goes alone, because it shows whether the model is available and which request format it accepts. */
const MAX_PARALLEL = 4;
const PAGE_SIZE = 5000;
/** After this many failures in a row, no more requests are sent in this run. */
const MAX_FAILURES = 2;

/**
 * Has a model judge links for the keywords of their sites. Each answer is stored at once; links without one keep the score of the
 * embedded scorer.
 */
export async function scoreLinks(app: App, request: ScoringRequest): Promise<ScoringReport> {
  const model = await openModelFor(app, request.config);
  try {
    return await new Scoring(app, request, model).run();
  } finally {
    await model.close();
  }
}

class Scoring {
  readonly #app: App;
  readonly #request: ScoringRequest;
  readonly #model: Model;
  readonly #spending: Spending;
  readonly #batches: AsyncGenerator<Batch>;
  #ended: ScoringReport["ended"] = "finished";
  #trouble: string | null = null;
  #failures = 0;
  #counts = { judged: 0, cached: 0, unusable: 0, left: 0 };

  constructor(app: App, request: ScoringRequest, model: Model) {
    this.#app = app;
    this.#request = request;
    this.#model = model;
    this.#spending = request.spending ?? spendingFor(request.config);
    this.#batches = this.#unscoredBatches();
  }

  async run(): Promise<ScoringReport> {
    try {
      if (await this.#next()) await Promise.all(Array.from({ length: MAX_PARALLEL }, () => this.#work()));
      for await (const { links } of this.#batches) this.#counts.left += links.length;
    } catch (cause) {
      this.#giveUp(cause);
    }
    return { ...this.#progress(), ended: this.#ended, trouble: this.#trouble, left: this.#counts.left };
  }

  async #work(): Promise<void> {
    let hasMore = true;
    while (hasMore) hasMore = await this.#next();
  }

  #progress(): ScoringProgress {
    const { calls, read, written, usd } = this.#spending;
    const { judged, cached, unusable } = this.#counts;
    return { model: this.#model.name, judged, cached, unusable, calls, tokensRead: read, tokensWritten: written, usd: usd ?? null };
  }

  /** Judges one batch. Returns whether there may be more. */
  async #next(): Promise<boolean> {
    if (this.#request.stop.aborted) this.#end("interrupted");
    if (this.#ended !== "finished") return false;
    const { value: batch } = await this.#batches.next();
    if (!batch) return false;
    try {
      await this.#saveBatch(batch, await this.#judge(batch));
    } catch (cause) {
      this.#counts.left += batch.links.length;
      if (this.#request.abort.aborted) this.#end("interrupted");
      else this.#giveUp(cause);
    }
    this.#request.onProgress(this.#progress());
    return this.#ended === "finished";
  }

  /** If the remaining budget is too small for the batch, judges as many links as it allows, by halving. */
  async #judge({ links, keywords }: Batch): Promise<JudgeResult> {
    const setup = { model: this.#model, spending: this.#spending, keywords };
    let judged = await judgeLinks(links, setup, this.#request.abort);
    while (exceedsBudget(judged) && this.#spending.hasPendingCall) {
      await this.#spending.callEnded();
      judged = await judgeLinks(links, setup, this.#request.abort);
    }
    const budgetLimit = exceedsBudget(judged) ? judged.trouble?.why : undefined;
    for (let size = Math.floor(links.length / 2); exceedsBudget(judged) && size > 0; size = Math.floor(size / 2)) {
      judged = await judgeLinks(links.slice(0, size), setup, this.#request.abort);
    }
    if (budgetLimit !== undefined) this.#stopAt(budgetLimit);
    return judged;
  }

  async #saveBatch({ siteId, keywords, links }: Batch, { judgements, isAnswered, trouble }: JudgeResult): Promise<void> {
    const givenMatches = links.flatMap((link, place) => matchesOf(link, judgements[place], keywords));
    await this.#app.store.links.saveMatches(siteId, scorerName(this.#model.name, keywords), givenMatches);
    const known = links.filter((_, place) => judgements[place] !== undefined || (isAnswered && place < judgements.length));
    await this.#app.store.saveModelAnswers(
      known.map((link) => ({ key: answerKey(this.#model.name, keywords, link), text: writeAnswer(judgements[links.indexOf(link)]) })),
      this.#app.world.clock.wall(),
    );
    const judged = judgements.filter((judgement) => judgement !== undefined).length;
    this.#counts.judged += judged;
    this.#counts.unusable += known.length - judged;
    this.#counts.left += links.length - known.length;
    this.#handleTrouble(trouble);
  }

  #handleTrouble(trouble: JudgeResult["trouble"]): void {
    if (trouble?.kind === "spent") this.#stopAt(trouble.why);
    else if (trouble) {
      this.#trouble = trouble.why;
      this.#failures += 1;
      if (trouble.kind === "closed" || this.#failures >= MAX_FAILURES) this.#end("failed");
    } else this.#failures = 0;
  }

  #stopAt(limit: string): void {
    if (this.#ended === "finished") this.#trouble = limit;
    this.#end("budget");
  }

  /** Model errors are reported and never fail a finished crawl. */
  #giveUp(cause: unknown): void {
    this.#trouble = cause instanceof Error ? cause.message : String(cause);
    this.#end("failed");
  }

  #end(how: ScoringReport["ended"]): void {
    if (this.#ended === "finished") this.#ended = how;
  }

  /** Batches of links that the model has not judged. Known answers are applied from the cache. */
  async *#unscoredBatches(): AsyncGenerator<Batch> {
    const { links: store } = this.#app.store;
    for (const { id: siteId, url } of this.#request.sites) {
      const keywords = (await store.keywords(siteId)).map(({ word }) => word);
      if (keywords.length === 0) {
        this.#trouble = `${url} has no keywords to be judged by: -k budget`;
        continue;
      }
      const scorer = scorerName(this.#model.name, keywords);
      const runs = this.#request.runId === undefined ? undefined : await this.#runsToScore(siteId, this.#request.runId);
      let waiting: UnscoredLink[] = [];
      for (let after = 0; ; ) {
        const links = await store.unscored(siteId, runs, scorer, { after, limit: PAGE_SIZE });
        waiting.push(...(await this.#withoutKnown({ siteId, keywords, links })));
        for (; waiting.length >= BATCH; waiting = waiting.slice(BATCH)) yield { siteId, keywords, links: waiting.slice(0, BATCH) };
        if (links.length < PAGE_SIZE) break;
        after = links.at(-1)!.linkId;
      }
      if (waiting.length > 0) yield { siteId, keywords, links: waiting };
    }
  }

  /** This run, and the runs directly before it that left links unscored. */
  async #runsToScore(siteId: number, run: number): Promise<RunRange> {
    for (let since = run; ; ) {
      const [earlier] = await this.#app.store.runs({ kind: "crawl", siteId, before: since, limit: 1 });
      const scoring = earlier?.state.scoring as Partial<ScoringReport> | undefined;
      if (!earlier || !scoring?.left) return { run, since };
      since = earlier.id;
    }
  }

  async #withoutKnown({ siteId, keywords, links }: Batch): Promise<readonly UnscoredLink[]> {
    const keys = links.map((link) => answerKey(this.#model.name, keywords, link));
    const answers = await this.#app.store.modelAnswers(keys);
    const known = links.flatMap((link, place) => {
      const text = answers.get(keys[place]!);
      return text === undefined ? [] : [{ link, judgement: readAnswer(text) }];
    });
    const givenMatches = known.flatMap(({ link, judgement }) => matchesOf(link, judgement, keywords));
    await this.#app.store.links.saveMatches(siteId, scorerName(this.#model.name, keywords), givenMatches);
    this.#counts.cached += known.length;
    return links.filter((_, place) => !answers.has(keys[place]!));
  }
}

const exceedsBudget = ({ trouble, judgements }: JudgeResult) =>
  trouble?.kind === "spent" && judgements.every((judgement) => judgement === undefined);

/** A judgement covers all keywords: one that it does not name does not match. */
function matchesOf({ linkId }: UnscoredLink, judgement: Judgement | undefined, keywords: readonly string[]): GivenLinkMatch[] {
  if (!judgement) return [];
  const named = new Set(judgement.matches.map(({ word }) => word));
  const others = keywords.filter((word) => !named.has(word)).map((word) => ({ word, match: 0 }));
  return [...judgement.matches, ...others].map(({ word, match }) => ({
    ...{ linkId, word, match },
    comment: match > 0 && judgement.reason !== "" ? judgement.reason : undefined,
  }));
}
