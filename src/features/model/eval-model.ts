import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openScorer } from "../../analysis/score/index.ts";
import { BATCH, evalSet, type Judgement, judgeLinks, type LabelledLinks, type Measures, measure, PROMPT } from "../../engine/ai/index.ts";
import type { App } from "../../engine/app.ts";
import { type Config, SetupError } from "../../engine/config/index.ts";
import { openModelFor, spendingFor } from "./open-model.ts";

export interface EvalRequest {
  readonly config: Config;
  /** A folder with links.jsonl and labels.json; default: the built-in set. */
  readonly set?: string | undefined;
  readonly signal: AbortSignal;
}

export interface EvalReport {
  readonly model: string;
  readonly prompt: number;
  readonly links: number;
  readonly keywords: number;
  /** Links for which the model gave a usable answer. */
  readonly judged: number;
  /** Why some links were not judged, if any. */
  readonly trouble: string | null;
  readonly measures: { readonly llm: Measures; readonly embedded: Measures };
  readonly calls: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  readonly usd: number | null;
}

/** Has the model judge links that a person has labelled, and measures the agreement, next to that of the embedded scorer. */
export async function evalModel(app: App, { config, set, signal }: EvalRequest): Promise<EvalReport> {
  const labelled = set === undefined ? evalSet : await readSet(set);
  const { keywords, links } = labelled;
  const spending = spendingFor(config);
  const model = await openModelFor(app, config);
  const judgements: (Judgement | undefined)[] = [];
  let trouble: string | null = null;
  try {
    for (let from = 0; from < links.length && trouble === null; from += BATCH) {
      const judged = await judgeLinks(links.slice(from, from + BATCH), { model, spending, keywords }, signal);
      judgements.push(...judged.judgements);
      if (judged.trouble) trouble = judged.trouble.why;
    }
  } finally {
    await model.close();
  }
  const scorer = openScorer(keywords);
  const embedded = links.map((link) => scorer.match(link));
  const modelMatch = (place: number, keyword: string) => judgements[place]?.matches.find(({ word }) => word === keyword)?.match ?? 0;
  return {
    ...{ model: model.name, prompt: PROMPT, links: links.length, keywords: keywords.length, trouble },
    judged: judgements.filter((judgement) => judgement !== undefined).length,
    measures: {
      llm: measure(labelled, modelMatch),
      embedded: measure(labelled, (place, word) => embedded[place]![keywords.indexOf(word)]!),
    },
    ...{ calls: spending.calls, tokensRead: spending.read, tokensWritten: spending.written, usd: spending.usd ?? null },
  };
}

type Labels = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

async function readSet(folder: string): Promise<LabelledLinks> {
  const read = (name: string) =>
    readFile(join(folder, name), "utf8").catch((cause: unknown) => {
      throw new SetupError(`there is no ${name} in ${folder}`, "a set is links.jsonl and labels.json: nuthatch llm eval -h", { cause });
    });
  const [lines, labels] = [await read("links.jsonl"), await read("labels.json")];
  try {
    return labelledBy(JSON.parse(labels) as Labels, lines.split("\n").filter(Boolean));
  } catch (cause) {
    throw new SetupError(`the set in ${folder} cannot be read: ${(cause as Error).message}`, "a set is links.jsonl and labels.json", {
      cause,
    });
  }
}

function labelledBy(labels: Labels, lines: readonly string[]): LabelledLinks {
  const keywords = Object.keys(labels);
  const links = lines.map((line) => {
    const { id, text = "", url = "", heading = "", context = "" } = JSON.parse(line) as Record<string, string | undefined>;
    const named = (label: string) => keywords.filter((word) => labels[word]?.[label]?.includes(id ?? ""));
    const fits = Object.fromEntries([...named("1").map((word) => [word, 1]), ...named("2").map((word) => [word, 2])]) as Record<
      string,
      number
    >;
    return { text, url, heading, context, fits, traps: named("trap"), unsure: named("unsure") };
  });
  return { keywords, links };
}
