import type { Command } from "commander";
import { typedUrl } from "../../../core/typed-url.ts";
import type { CrawlEvent, Progress } from "../../../engine/crawl/index.ts";
import { csvHeader, jsonLine } from "../../../engine/formats/index.ts";
import { openProgress, type ProgressView, plural, printable } from "../../../engine/telemetry/index.ts";
import { bestOf, endOf, type MappedUrl, type MapRequest, mapSite } from "../../../features/map/map.ts";
import { csvText } from "../answer.ts";
import { addConfigFlags, newCommand } from "../command.ts";
import { openTransient } from "../crawl/open-transient.ts";
import { seedErrorOf } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { addListFlags, type ListFlags, sortItems } from "../list.ts";
import { checkHeader, type OutputPlan, openOutput, planOutput } from "../output.ts";
import { jsonDocument, type Shell, stderrPrinter, wantsColour, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";
import { wholeNumberParser } from "../whole-number.ts";

const columns = ["url", "title", "depth", "source", "lastmod", "parentUrl", "isExternal"] as const satisfies readonly (keyof MappedUrl)[];
/** In order of discovery, unless another order is requested. */
const DISCOVERY_ORDER = "heard";
const shape = { columns, sorts: [DISCOVERY_ORDER, ...columns], sort: DISCOVERY_ORDER, limit: 5000 };

interface MapFlags extends ListFlags, Readonly<Record<string, unknown>> {
  readonly depth: number;
  readonly query?: string;
  readonly includeExternal?: boolean;
}

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand("map", "The URLs of a site, one a line as they are heard of, from its sitemaps and links. No content is kept.")
    .argument("<url>", "where to begin", typedUrl)
    .option(
      "--depth <n>",
      "clicks from there; pages that far, and those of a sitemap, are listed and not asked",
      wholeNumberParser("--depth"),
      2,
    )
    .option("--query <words>", "only URLs with one of these words in them or in a link to them, the best first")
    .option("--include-external", "also what lies outside the scope");
  addConfigFlags(addListFlags(command, shape)).addHelpText(
    "after",
    `
Examples:
  nuthatch map https://example.org
  nuthatch map https://example.org --sitemap only -o urls.csv
  nuthatch map https://example.org --query "budget minutes" --limit 20`,
  );
  return command.action(async (url: string, flags: MapFlags) => {
    const plan = planOutput(flags, { formats: ["jsonl", "csv", "json", "txt"] });
    if (plan) checkHeader(plan, csvHeader(flags.fields ?? columns));
    const seed = { url, namedBy: "person" } as const;
    const { config, app } = await openTransient([seed], flags, shell);
    try {
      const { depth, includeExternal = false, query } = flags;
      const limit = query === undefined ? flags.limit : Number.POSITIVE_INFINITY;
      exit(
        await list(shell, flags, url, plan, (how) =>
          mapSite(app, { ...seed, config, depth, limit, includeExternal, wantsWords: query !== undefined, ...how }),
        ),
      );
    } finally {
      await app.close();
    }
  });
}

type Start = (how: Pick<MapRequest, "emit" | "onStart" | "signal">) => ReturnType<typeof mapSite>;

/** Streams the URLs unless all of them are needed first: for a JSON document, --query (which ranks them) or --sort. */
async function list(shell: Shell, flags: MapFlags, url: string, plan: OutputPlan | undefined, start: Start): Promise<number> {
  const stop = new AbortController();
  const view = openView(shell, flags, url, plan);
  const stopListening = onStopSignal(() => stop.abort());
  const sink = openSink(shell, flags, plan);
  const found = start({ ...view.how, signal: stop.signal });
  try {
    const collected: MappedUrl[] = [];
    const mustCollect = flags.query !== undefined || flags.sort !== DISCOVERY_ORDER || sink.writesAtEnd;
    let next = await found.next();
    for (; !next.done; next = await found.next()) {
      if (mustCollect) collected.push(next.value);
      else await sink.add(next.value);
    }
    view.stop();
    const wanted = bestOf(collected, next.value, flags.query, flags.limit);
    const urls = flags.sort === DISCOVERY_ORDER ? wanted : sorted(wanted, flags.sort);
    if (!sink.writesAtEnd) for (const one of urls) await sink.add(one);
    const end = endOf(next.value);
    await sink.close(urls, end);
    if (!flags.quiet && next.value.isCut) shell.stderr.write(`the first ${plural(flags.limit, "URL", "URLs")}; --limit takes more\n`);
    if (stop.signal.aborted) return stopListening();
    const [seed] = next.value.result.seeds;
    if (end.reason === "ok" || seed === undefined || next.value.urls > 1) return exitCodes.ok;
    const trouble = seedErrorOf(seed);
    for (const line of trouble.lines) shell.stderr.write(`${line}\n`);
    return trouble.code;
  } finally {
    view.stop();
    stopListening();
  }
}

const sorted = (urls: readonly MappedUrl[], sort: string): MappedUrl[] =>
  sortItems(
    urls.map((record) => ({ record, row: { ...record } })),
    sort,
  ).map(({ record }) => record);

interface Sink {
  /** True if everything is written at the end. */
  readonly writesAtEnd: boolean;
  add(url: MappedUrl): Promise<void>;
  close(urls: readonly MappedUrl[], end: object): Promise<void>;
}

function openSink(shell: Shell, flags: MapFlags, plan: OutputPlan | undefined): Sink {
  const output = plan && openOutput(plan, stderrPrinter(shell));
  const format = plan?.format ?? (flags.json ? "json" : "txt");
  let isFirst = output?.isNew ?? true;
  const writeText = async (text: string) => (output ? output.write(text) : write(shell.stdout, text));
  const { fields } = flags;
  const pickFields = (one: MappedUrl) => {
    const row: Record<string, unknown> = { ...one };
    return fields ? Object.fromEntries(fields.map((name) => [name, row[name]])) : row;
  };
  const lineOf = (one: MappedUrl) => printable(fields ? Object.values(pickFields(one)).join("  ") : one.url);
  return {
    writesAtEnd: format === "json",
    add: async (one) => {
      await writeText(
        format === "jsonl" ? jsonLine(pickFields(one)) : format === "csv" ? await csvText([pickFields(one)], isFirst) : `${lineOf(one)}\n`,
      );
      isFirst = false;
    },
    close: async (urls, end) => {
      if (format === "json") await writeText(jsonDocument({ urls: urls.map(pickFields), ...end }));
      output?.close();
    },
  };
}

/** Progress on stderr; silent if the URLs are printed to the same terminal. */
function openView(shell: Shell, flags: MapFlags, url: string, plan: OutputPlan | undefined) {
  const isSilent = flags.quiet || flags.progress === false || (shell.stdout.isTTY && !plan && !flags.json && flags.query === undefined);
  const isLive = shell.stderr.isTTY && flags.progress !== "plain" && !flags.json && !shell.env.CI;
  let view: ProgressView | undefined;
  const onStart = (readProgress: () => Progress) => {
    const colour = wantsColour(flags, shell, shell.stderr);
    view = openProgress({
      stream: shell.stderr,
      mode: isSilent ? "off" : isLive ? "live" : "plain",
      colour,
      readProgress,
      title: `the URLs of ${url}`,
    });
  };
  return { how: { onStart, emit: (event: CrawlEvent) => view?.on(event) }, stop: () => view?.stop() };
}
