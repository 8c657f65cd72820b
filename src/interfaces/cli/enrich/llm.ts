import type { Command } from "commander";
import { SetupError } from "../../../engine/config/index.ts";
import type { ScoringProgress } from "../../../engine/crawl/index.ts";
import { count, modelLines, plural, scoringParts } from "../../../engine/telemetry/index.ts";
import { withTemporaryApp } from "../../../features/crawl/temporary-app.ts";
import { scoreLinks } from "../../../features/links/score-links.ts";
import { type EvalReport, evalModel } from "../../../features/model/eval-model.ts";
import { findSite } from "../../../features/pages/find.ts";
import { openAnswer } from "../answer.ts";
import { addConfigFlags, loadConfig, newCommand } from "../command.ts";
import { withStored } from "../commands/stored.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { configFileOf, paragraph, type Shell, table, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";
import { pickVerb } from "../verb.ts";

interface LlmFlags extends Globals, Readonly<Record<string, unknown>> {
  readonly set?: string;
}

const VERBS = ["score", "eval"] as const;

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "llm",
    "Let a model judge the stored links that it was not asked about yet, or measure how well it judges. Nothing is asked of the sites.",
  )
    .argument(`<${VERBS.join("|")}>`, "score stored links, or eval the model on links that a person has labelled")
    .argument("[site]", "score: only the links of this site")
    .option("--set <folder>", "eval: labelled links of your own: links.jsonl and labels.json");
  addConfigFlags(command).addHelpText(
    "after",
    `
Examples:
  nuthatch llm eval --llm gpt-4o-mini --llm-price 0.15,0.6
  nuthatch llm score --llm qwen3 --llm-url http://127.0.0.1:11434/v1
  nuthatch llm score example.org --llm gpt-4o-mini --llm-budget 0.50 --llm-price 0.15,0.6`,
  );
  return command.action(async (given: string, site: string | undefined, flags: LlmFlags) => {
    const verb = pickVerb("llm", given, VERBS);
    const [stop, abort] = [new AbortController(), new AbortController()];
    const stopListening = onStopSignal((times) => (times === 1 && verb === "score" ? stop : abort).abort(new Error("stopped")));
    const signals = { stop: stop.signal, abort: abort.signal };
    try {
      const hasSucceeded = verb === "score" ? await score(shell, flags, { ...signals, site }) : await evaluate(shell, flags, signals);
      exit(abort.signal.aborted || stop.signal.aborted ? stopListening() : hasSucceeded ? exitCodes.ok : exitCodes.error);
    } finally {
      stopListening();
    }
  });
}

interface Signals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

async function score(
  shell: Shell,
  flags: LlmFlags,
  { site: siteText, ...signals }: Signals & { site: string | undefined },
): Promise<boolean> {
  if (flags.set !== undefined) throw new SetupError("llm score has no use for --set", "it is for nuthatch llm eval");
  const answer = openAnswer(shell, flags, "one");
  return withStored(flags, shell, async (app, _, file) => {
    const sites = siteText === undefined ? await app.store.sites() : [await findSite(app, siteText)];
    const urls = sites.map(({ url }) => url);
    const config = loadConfig(flags, shell, file, urls);
    const printProgress = (progress: ScoringProgress) => void (flags.quiet || shell.stderr.write(`${scoringParts(progress).join(", ")}\n`));
    const report = await scoreLinks(app, { config, sites, ...signals, onProgress: printProgress });
    await answer({ document: report, text: paragraph(modelLines(report).map(([, text]) => text)) });
    return report.ended !== "failed";
  });
}

async function evaluate(shell: Shell, flags: LlmFlags, { abort }: Signals): Promise<boolean> {
  const answer = openAnswer(shell, flags, "one");
  const config = loadConfig(flags, shell, await configFileOf(flags, shell), []);
  const report = await withTemporaryApp({}, (app) => evalModel(app, { config, set: flags.set, signal: abort }));
  if (!flags.quiet && !flags.json && report.trouble !== null)
    await write(shell.stderr, paragraph([`not all were asked: ${report.trouble}`]));
  await answer({ document: report, text: evalText(report) });
  return report.trouble === null;
}

function evalText(report: EvalReport): string {
  const { model, prompt, links, keywords, judged, measures, calls, tokensRead, tokensWritten, usd } = report;
  const rows = Object.entries(measures).map(([scorer, { meanAveragePrecision, precision, recall, trapsAvoided }]) => [
    scorer,
    ...[meanAveragePrecision, precision, recall, trapsAvoided].map((value) => value.toFixed(2)),
  ]);
  const cost = usd === null ? "price not known" : `$${usd.toFixed(4)}`;
  return (
    paragraph([`${model}, prompt ${prompt}: ${judged} of ${links} links judged, ${keywords} keywords`]) +
    table(["scorer", "MAP", "precision", "recall", "traps avoided"], rows) +
    paragraph([`${plural(calls, "call", "calls")}, ${count(tokensRead)} + ${count(tokensWritten)} tokens, ${cost}`])
  );
}
