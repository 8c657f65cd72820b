import { type Description, describePage, descriptionKey, type Model, type ShownPage, type Spending, type Trouble } from "../ai/index.ts";
import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { DescribingReport } from "../crawl/index.ts";
import type { Metadata } from "../records.ts";
import { openModelFor, spendingFor } from "./open-model.ts";

/** General topics that the model chooses from first: those that content analysis knows as well. */
const GENERAL = [
  ...["technology", "science", "business", "health", "education", "entertainment", "sports", "finance", "politics", "design"],
  ...["food", "travel", "fashion", "gaming", "crypto", "ai", "environment", "photography", "music"],
];
/** As much of the text as is kept of it, so that a page is the same question whether it is stored or not. */
const TEXT = 2000;
/** A shorter one says too little to be summed up. */
const LEAST_TEXT = 200;
/** How sure we are of what a model says. */
const CONFIDENCE = 0.5;
/** So many failures in a row, and the endpoint is left alone. */
const PATIENCE = 2;

/** Asks a model for what pages do not say of themselves: a description, and topics. What they say stands, and whatever the model does, a page is no worse off. */
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

  /** Whether there is no use in asking on. */
  get isOver(): boolean {
    return this.#isOver || this.#signal.aborted;
  }

  /** The same with what it lacked, as far as the model has something to say. */
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

/** Whether a model could help: a page with words, of which nobody has said what they are about. */
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
