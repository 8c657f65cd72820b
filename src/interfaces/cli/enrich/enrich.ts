import type { Command } from "commander";
import { type Seed, seedsBy } from "../../../core/seed.ts";
import { typedUrls } from "../../../core/typed-url.ts";
import { nearest, parseDuration, SetupError } from "../../../engine/config/index.ts";
import type { DescribingReport } from "../../../engine/crawl/index.ts";
import { describingLines, plural } from "../../../engine/telemetry/index.ts";
import { checkCrawl } from "../../../features/crawl/crawl.ts";
import { type Enriched, type EnrichedUrl, enrichUrls, toEnriched, toSeeds } from "../../../features/enrich/enrich.ts";
import { extractionLine, type MetadataField, metadataFields, usualFields } from "../../../features/enrich/page-metadata.ts";
import { addConfigFlags, newCommand } from "../command.ts";
import { openTransient } from "../crawl/open-transient.ts";
import { checkSeedFile, readSeedList, seedLines } from "../crawl/seed-list.ts";
import { seedErrorOf } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { openRecordSink } from "../record-sink.ts";
import { paragraph, type Shell } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";
import { wholeNumberParser } from "../whole-number.ts";
import { openListProgress } from "./enrich-progress.ts";
import { linesOf, rowOf } from "./enriched.ts";
import { ResultOrder, readAddresses } from "./result-order.ts";

export interface EnrichFlags extends Globals, Readonly<Record<string, unknown>> {
  readonly seeds?: string;
  readonly showSources?: boolean;
  readonly fields?: readonly MetadataField[];
  readonly force?: boolean;
  readonly imageSizes?: boolean;
  readonly missing?: boolean;
  readonly reset?: boolean;
  readonly site?: string;
  readonly batchSize: number;
  readonly delay: string;
  readonly maxTopics: number;
}

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "enrich",
    "What pages say about themselves, each value with where it came from. What is stored is taken from there, the rest asked for like with fetch.",
  )
    .argument("[url...]", "the pages; - reads addresses from standard input", typedUrls)
    .option("--seeds <file>", "file with one address a line")
    .option("--show-sources", "also what else was offered for each field, and why it lost")
    .option("--fields <list>", `only these, of ${metadataFields.join(", ")} (default: all but text)`, parseFields)
    .option("--force", "ask for pages whose metadata is stored, too, and store what they say now")
    .option(
      "--missing",
      "fill in what stored pages lack, from their stored bodies; with --force ask for all of them anew, or for those that are named",
    )
    .option("--reset", "mark stored pages, so that --missing makes their metadata anew")
    .option("--site <site>", "with --missing or --reset: only pages of this site")
    .option("--image-sizes", "look at the first bytes of each image: how large it is, and the next one if it is too small")
    .option("--batch-size <n>", "pages asked for together, at most 100", parseBatchSize, 10)
    .option("--delay <time>", "pause between any two requests, on top of each host's pace; 0 for none", "500ms")
    .option("--max-topics <n>", "at most this many topics a page", wholeNumberParser("--max-topics"), 10);
  addConfigFlags(command).addHelpText(
    "after",
    `
Examples:
  nuthatch enrich https://example.org/news/ --show-sources
  nuthatch enrich --seeds urls.txt -o metadata.csv
  nuthatch enrich --missing
  cat urls.txt | nuthatch enrich - --fields title,image,publishedAt > metadata.jsonl`,
  );
  return command.action(async (urls: string[], flags: EnrichFlags) => exit(await enrichList(urls, flags, shell)));
}

async function enrichList(given: readonly string[], flags: EnrichFlags, shell: Shell): Promise<number> {
  const isStored = flags.missing === true || flags.reset === true;
  if (flags.site !== undefined && !isStored) throw new SetupError("--site is for stored pages", "add --missing or --reset");
  if (given.length === 0 && flags.seeds === undefined && !isStored)
    throw new SetupError("no address was given", "name one, or - to read them from standard input: cat urls.txt | nuthatch enrich -");
  if (flags.seeds !== undefined) await checkSeedFile(flags.seeds);
  const delay = parseDuration("--delay", flags.delay, "--delay 500ms, or 2s");
  const typed = seedsBy(
    "person",
    given.filter((url) => url !== "-"),
  );
  const place = { file: flags.seeds, stdin: given.includes("-") ? shell.stdin : undefined };
  if (!isStored) return enrichEach({ typed, listed: toSeeds("list", seedLines(place)), delay }, flags, shell);
  const urls = [...typed, ...seedsBy("list", await readSeedList(place))];
  const isAll = given.length === 0 && flags.seeds === undefined;
  return (await import("./enrich-stored.ts")).enrichStored({ urls: isAll ? undefined : urls, delay }, flags, shell);
}

interface EnrichInput {
  readonly typed: readonly Seed[];
  readonly listed: AsyncIterable<Seed>;
  readonly delay: number;
}

async function enrichEach({ typed, listed, delay }: EnrichInput, flags: EnrichFlags, shell: Shell): Promise<number> {
  const { batchSize, force, imageSizes = false, fields = usualFields, showSources = false } = flags;
  const row = (one: Enriched) => rowOf(one, fields, { showSources, imageSizes });
  const sink = openRecordSink<Enriched>(shell, flags, { name: "urls", row, lines: linesOf });
  const { config, app } = await openTransient(typed, flags, shell);
  const stop = new AbortController();
  const stopListening = onStopSignal(() => stop.abort());
  const tally = new Tally();
  try {
    if (typed.length > 0) checkCrawl(typed, config);
    const { plan } = sink;
    const order = new ResultOrder<EnrichedUrl>(plan?.isAppending && !force ? await readAddresses(plan) : new Set());
    sink.open();
    const progress = openListProgress(shell, flags);
    const onDescribed = (report: DescribingReport) => tally.described(report);
    const how = { config, onDescribed, batchSize, delay, force, imageSizes, wantsText: fields.includes("text"), signal: stop.signal };
    const write = async (answers: Iterable<EnrichedUrl>) => {
      for (const one of answers) await sink.add(toEnriched(one, flags));
    };
    try {
      for await (const one of enrichUrls(app, { urls: order.list(typedThenListed(typed, listed), stop.signal), ...how })) {
        tally.add(one);
        progress.done(tally.count, tally.lost);
        if (flags.verbose && !flags.quiet && one.metadata) progress.say(paragraph([extractionLine(one.finalUrl, one.metadata)]));
        await write(order.takeReady(one));
      }
    } finally {
      progress.end();
    }
    await write(order.takeRemaining());
    await sink.close();
    if (!flags.quiet && !flags.json) shell.stderr.write(paragraph([...tally.lines(), ...skippedLines(order)]));
    return stop.signal.aborted ? stopListening() : tally.code();
  } finally {
    stopListening();
    await app.close();
  }
}

async function* typedThenListed(typed: readonly Seed[], listed: AsyncIterable<Seed>): AsyncGenerator<Seed> {
  yield* typed;
  yield* listed;
}

function skippedLines({ repeated, skipped }: ResultOrder<EnrichedUrl>): string[] {
  return [
    ...(repeated > 0 ? [`${plural(repeated, "address", "addresses")} stood in the list before and left out`] : []),
    ...(skipped > 0 ? [`${plural(skipped, "address is", "addresses are")} in the file already; --force asks for them again`] : []),
  ];
}

/** Totals of a list: failed pages are reported one by one; the exit code is an error only if no page succeeded. */
class Tally {
  #done = 0;
  #lost = 0;
  #first: EnrichedUrl | undefined;
  #areAllBlocked = true;
  #model: readonly string[] = [];

  get count(): number {
    return this.#done + this.#lost;
  }

  get lost(): number {
    return this.#lost;
  }

  add(one: EnrichedUrl): void {
    if (one.ok) this.#done += 1;
    else {
      this.#lost += 1;
      this.#first ??= one;
      this.#areAllBlocked &&= seedErrorOf(one).code === exitCodes.blocked;
    }
  }

  described(report: DescribingReport): void {
    this.#model = describingLines(report).map(([, text]) => text);
  }

  lines(): string[] {
    return [...this.#counts(), ...this.#model];
  }

  #counts(): string[] {
    if (this.#lost === 1 && this.#done === 0) return seedErrorOf(this.#first!).lines;
    const done = plural(this.#done, "page", "pages");
    if (this.#lost > 0) return [`${done}; ${plural(this.#lost, "address", "addresses")} could not be fetched`];
    return this.#done > 1 ? [done] : [];
  }

  code(): number {
    if (this.#done > 0 || this.#lost === 0) return exitCodes.ok;
    return this.#areAllBlocked ? exitCodes.blocked : exitCodes.noPages;
  }
}

function parseFields(text: string): MetadataField[] {
  return text.split(",").map((word) => {
    const field = metadataFields.find((known) => known === word.trim());
    if (field) return field;
    const near = nearest(word.trim(), metadataFields);
    throw new SetupError(`there is no field ${word.trim()}`, near ? `did you mean ${near}?` : `one of ${metadataFields.join(", ")}`);
  });
}

function parseBatchSize(text: string): number {
  const size = wholeNumberParser("--batch-size")(text);
  if (size >= 1 && size <= 100) return size;
  throw new SetupError(`--batch-size: ${text} is not from 1 to 100`, "--batch-size 10");
}
