import { type Description, describePage, descriptionKey, type Model, type ShownPage, type Spending, type Trouble } from "../ai/index.ts";
import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { DescribingReport } from "../crawl/index.ts";
import type { Metadata } from "../records.ts";
import { openModelFor, spendingFor } from "./open-model.ts";

/** General topics offered to the model first; content analysis uses the same ones. */
const GENERAL = [
  ...["technology", "science", "business", "health", "education", "entertainment", "sports", "finance", "politics", "design"],
  ...["food", "travel", "fashion", "gaming", "crypto", "ai", "environment", "photography", "music"],
];
/** The stored length of the text, so that a page gives the same prompt whether it is stored or not. */
const TEXT = 2000;
/** A shorter text is not worth a summary. */
const LEAST_TEXT = 200;
/** Confidence of a value from the model. */
const CONFIDENCE = 0.5;
/** After this many failures in a row, no more requests are sent to the endpoint. */
const PATIENCE = 2;

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
    if (!lacksWords(metadata)) return metadata;
    const page = { title: metadata.title.value ?? "", text: metadata.text.value!.slice(0, TEXT), lang: metadata.lang.value ?? "" };
    const said = await this.#describe(page);
    return said ? withWords(metadata, said, `model:${this.#model.name}`) : metadata;
  }

  async #describe(page: ShownPage): Promise<Description | undefined> {
    const key = descriptionKey(this.#model.name, page, GENERAL);
    const known = (await this.#app.store.answers([key])).get(key);
    if (known !== undefined) {
      this.#counts.cached += 1;
      return read(known);
    }
    if (this.isOver) return undefined;
    const said = await describePage(page, { model: this.#model, spending: this.#spending, topics: GENERAL }, this.#signal).catch(
      (cause: unknown): Trouble => ({ kind: "failed", why: cause instanceof Error ? cause.message : String(cause) }),
    );
    if ("kind" in said) {
      this.#heed(said);
      return undefined;
    }
    this.#failures = 0;
    this.#counts[said.description === "" && said.topics.length === 0 ? "unusable" : "described"] += 1;
    await this.#app.store.saveAnswers([{ key, text: JSON.stringify(said) }], this.#app.world.clock.wall());
    return said;
  }

  #heed({ kind, why }: Trouble): void {
    if (this.#signal.aborted) return;
    this.#trouble = why;
    this.#failures += 1;
    this.#isOver = kind === "spent" || kind === "closed" || this.#failures >= PATIENCE;
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
export const lacksWords = ({ description, topics, text, verdict }: Metadata): boolean =>
  verdict.value === "ok" && (text.value?.length ?? 0) >= LEAST_TEXT && (description.value === null || !topics.value?.length);

function withWords(metadata: Metadata, said: Description, source: string): Metadata {
  const { description, topics } = metadata;
  const named = said.topics.map((name) => ({ name, source, confidence: CONFIDENCE, parents: [] }));
  const isSaid = description.value === null && said.description !== "";
  return {
    ...metadata,
    ...(isSaid && { description: { ...description, value: said.description, source, confidence: CONFIDENCE } }),
    ...(!topics.value?.length && named.length > 0 && { topics: { ...topics, value: named, source, confidence: CONFIDENCE } }),
  };
}

const read = (text: string): Description => JSON.parse(text) as Description;
