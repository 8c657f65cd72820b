import type { Metadata } from "../../core/records.ts";
import {
  type Description,
  describePage,
  descriptionKey,
  type Model,
  type NoAnswer,
  type ShownPage,
  type Spending,
} from "../../engine/ai/index.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { DescribingReport } from "../../engine/crawl/index.ts";
import { openModelFor, spendingFor } from "../model/open-model.ts";

/** General topics offered to the model first; content analysis uses the same ones. */
const GENERAL_TOPICS = [
  ...["technology", "science", "business", "health", "education", "entertainment", "sports", "finance", "politics", "design"],
  ...["food", "travel", "fashion", "gaming", "crypto", "ai", "environment", "photography", "music"],
];
/** The stored length of the text, so that a page gives the same prompt whether it is stored or not. */
const MAX_TEXT = 2000;
/** A shorter text is not worth a summary. */
const MIN_TEXT = 200;
/** Confidence of a value from the model. */
const CONFIDENCE = 0.5;
/** After this many failures in a row, no more requests are sent to the endpoint. */
const MAX_FAILURES = 2;

/** Asks a model for a missing description or topics. Existing values are kept, and a failure leaves the page unchanged. */
export class Describer {
  readonly #app: App;
  readonly #model: Model;
  readonly #spending: Spending;
  readonly #signal: AbortSignal;
  #counts = { described: 0, cached: 0, unusable: 0 };
  #failures = 0;
  #trouble: string | null = null;
  #isOver = false;

  private constructor(app: App, model: Model, spending: Spending, signal: AbortSignal) {
    this.#app = app;
    this.#model = model;
    this.#spending = spending;
    this.#signal = signal;
  }

  static async open(app: App, config: Config, signal: AbortSignal, spending = spendingFor(config)): Promise<Describer> {
    return new Describer(app, await openModelFor(app, config), spending, signal);
  }

  /** True if further requests would be useless. */
  get isOver(): boolean {
    return this.#isOver || this.#signal.aborted;
  }

  /** The same metadata with the missing values that the model could supply. */
  async complete(metadata: Metadata): Promise<Metadata> {
    if (!lacksDescription(metadata)) return metadata;
    const page = { title: metadata.title.value ?? "", text: metadata.text.value!.slice(0, MAX_TEXT), lang: metadata.lang.value ?? "" };
    const answer = await this.#describe(page);
    return answer ? withDescription(metadata, answer, `model:${this.#model.name}`) : metadata;
  }

  async #describe(page: ShownPage): Promise<Description | undefined> {
    const key = descriptionKey(this.#model.name, page, GENERAL_TOPICS);
    const known = (await this.#app.store.modelAnswers([key])).get(key);
    if (known !== undefined) {
      this.#counts.cached += 1;
      return read(known);
    }
    if (this.isOver) return undefined;
    const answer = await describePage(page, { model: this.#model, spending: this.#spending, topics: GENERAL_TOPICS }, this.#signal).catch(
      (cause: unknown): NoAnswer => ({ kind: "failed", why: cause instanceof Error ? cause.message : String(cause) }),
    );
    if ("kind" in answer) {
      this.#handleTrouble(answer);
      return undefined;
    }
    this.#failures = 0;
    this.#counts[answer.description === "" && answer.topics.length === 0 ? "unusable" : "described"] += 1;
    await this.#app.store.saveModelAnswers([{ key, text: JSON.stringify(answer) }], this.#app.world.clock.wall());
    return answer;
  }

  #handleTrouble({ kind, why }: NoAnswer): void {
    if (this.#signal.aborted) return;
    this.#trouble = why;
    this.#failures += 1;
    this.#isOver = kind === "spent" || kind === "closed" || this.#failures >= MAX_FAILURES;
  }

  report(): DescribingReport {
    const { calls, read: tokensRead, written: tokensWritten, usd } = this.#spending;
    return { model: this.#model.name, ...this.#counts, calls, tokensRead, tokensWritten, usd: usd ?? null, trouble: this.#trouble };
  }

  close(): Promise<void> {
    return this.#model.close();
  }
}

/** Whether a model could help: the page has text but no description or no topics. */
export const lacksDescription = ({ description, topics, text, verdict }: Metadata): boolean =>
  verdict.value === "ok" && (text.value?.length ?? 0) >= MIN_TEXT && (description.value === null || !topics.value?.length);

function withDescription(metadata: Metadata, answer: Description, source: string): Metadata {
  const { description, topics } = metadata;
  const named = answer.topics.map((name) => ({ name, source, confidence: CONFIDENCE, parents: [] }));
  const isNewDescription = description.value === null && answer.description !== "";
  return {
    ...metadata,
    ...(isNewDescription && { description: { ...description, value: answer.description, source, confidence: CONFIDENCE } }),
    ...(!topics.value?.length && named.length > 0 && { topics: { ...topics, value: named, source, confidence: CONFIDENCE } }),
  };
}

const read = (text: string): Description => JSON.parse(text) as Description;
