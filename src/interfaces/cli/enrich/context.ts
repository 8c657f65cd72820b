import { type Command, Option } from "commander";
import { typedUrl } from "../../../core/typed-url.ts";
import { nearest, resolveConfig, SetupError } from "../../../engine/config/index.ts";
import { checkBrowsers } from "../../../engine/network-access.ts";
import { count, plural } from "../../../engine/telemetry/index.ts";
import { type ContextNews, contextLayer, type MadeContext, makeContext } from "../../../features/context/context.ts";
import {
  type ContextFormat,
  contextFormats,
  contextLlms,
  contextMarkdown,
  type SectionName,
  sectionNames,
  tokensOf,
} from "../../../features/context/context-forms.ts";
import { checkCrawl } from "../../../features/crawl/crawl.ts";
import type { GetProgress } from "../../../features/crawl/temporary-run.ts";
import { addConfigFlags, layersOf, newCommand, requireOwner } from "../command.ts";
import { printAccessNotices } from "../commands/access.ts";
import { openData } from "../commands/stored.ts";
import { seedErrorOf } from "../errors.ts";
import { configFileOf, dbPathOf, jsonDocument, paragraph, type Shell, write } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";
import { openWaitMessages } from "../waits.ts";
import { wholeNumberParser } from "../whole-number.ts";
import { type ContextFlags, openContextAnswer } from "./context-answer.ts";

const VERBS = ["list", "show", "rm"];
const LONG_WAIT_MS = 2000;

/** Help of crawl options that have another meaning here. */
const helpOverrides: Readonly<Record<string, string>> = {
  "--max-depth": "Clicks from the page; deeper links share --max-links (default: 1)",
  "--scope": "How far from the page links may lead (default: domain)",
  "--keyword": "What makes a link more relevant: a word or phrase, with a weight of 0 to 1; not kept",
};

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "context",
    "A page and the links that explain it, as one text for a reader or a model. It is kept in the data file; the same call again fetches only what changed.",
  )
    .argument("<url>", `where to begin; or ${VERBS.join(", ")} for contexts that are stored`, typedUrl)
    .argument("[id]", "with show and rm: the number of a stored context")
    .option("--max-links <n>", "follow at most this many links", wholeNumberParser("--max-links"), 5)
    .option("--min-score <0-1>", "follow only links of this relevance or more", parseScore, 0.4)
    .option("--no-follow", "only the page itself")
    .option("--sections <list>", `only these, of ${sectionNames.join(", ")}`, parseSections)
    .option(
      "--max-tokens <n>",
      "at most so many tokens, about: the most relevant pages first, never half a sentence",
      wholeNumberParser("--max-tokens", 1),
    )
    .addOption(
      new Option(`-f, --format <${contextFormats.join("|")}>`, "default: markdown, or json where the file of -o ends so").argParser(
        parseFormat,
      ),
    );
  addConfigFlags(command).addHelpText(
    "after",
    `
Examples:
  nuthatch context https://example.org
  nuthatch context https://example.org --max-tokens 2000 -o context.md
  nuthatch context https://example.org -k pricing -k security --max-links 8
  nuthatch context https://example.org --format llms -O llms.txt
  nuthatch context show 1 --format json`,
  );
  for (const option of command.options) option.description = helpOverrides[option.long ?? ""] ?? option.description;
  return command.action(async (url: string, id: string | undefined, flags: ContextFlags) => {
    if (VERBS.includes(url)) return (await import("./context-stored.ts")).storedContexts(url, id, flags, shell);
    if (id !== undefined) throw new SetupError(`a context begins with one page, and ${id} is another`, `nuthatch context ${url}`);
    exit(await createContext(url, flags, shell));
  });
}

async function createContext(url: string, flags: ContextFlags, shell: Shell): Promise<number> {
  const answer = openContextAnswer(flags, shell);
  const file = await configFileOf(flags, shell);
  const config = resolveConfig([contextLayer, ...layersOf(flags, shell, file, [url])]);
  const seed = { url, namedBy: "person" } as const;
  checkCrawl([seed], config);
  if (!config.respectRobots) await requireOwner(flags, shell);
  await checkBrowsers(config);
  printAccessNotices(config, [seed], flags, shell, file);
  const app = await openData(dbPathOf(flags, shell, file), flags, shell, file);
  const stop = new AbortController();
  const stopListening = onStopSignal(() => stop.abort());
  const waits = openWaitMessages(shell, flags);
  // Page lines show the progress here, so only long waits are printed.
  const onStart = (readProgress: GetProgress) => {
    waits.stop();
    waits.onStart(() => ({ ...readProgress(), hosts: readProgress().hosts.filter(({ nextInMs }) => nextInMs > LONG_WAIT_MS) }));
  };
  const { follow, maxLinks, minScore } = flags;
  try {
    const onNews = (news: ContextNews) => void (flags.quiet || shell.stderr.write(paragraph(progressLines(news))));
    const made = await makeContext(app, { ...seed, config, follow, maxLinks, minScore, onNews, onStart, signal: stop.signal });
    if ("reason" in made) {
      const { code, lines, error } = seedErrorOf(made);
      if (answer.isDocument) await write(shell.stdout, jsonDocument({ url: made.url, error }));
      await write(shell.stderr, paragraph(lines));
      return code;
    }
    await answer.give(made);
    if (!flags.quiet) await write(shell.stderr, paragraph(endLines(made, flags)));
    return 0;
  } catch (cause) {
    if (!stop.signal.aborted) throw cause;
    await write(shell.stderr, "Stopped: there is no context yet. Pages that came are kept, and the same command carries on.\n");
    return stopListening();
  } finally {
    waits.stop();
    stopListening();
    await app.close();
  }
}

function progressLines(news: ContextNews): string[] {
  switch (news.type) {
    case "links":
      return [];
    case "page":
      return [`${news.relevance.toFixed(2)}  ${news.change.padEnd(7)}  ${news.url}`];
    case "failed":
      return [`left out  ${news.url}: ${news.rule || news.reason}`];
    case "notice":
      return [`note  ${news.text}`];
    default:
      return news satisfies never;
  }
}

function endLines({ id, pack, changes }: MadeContext, shape: ContextFlags): string[] {
  const tokens = tokensOf(shape.format === "llms" ? contextLlms(pack, shape) : contextMarkdown(pack, shape));
  const size = `${plural(1 + pack.linked.length, "page", "pages")}, about ${count(tokens)} tokens`;
  return [`context ${id}: ${size}${changes ? `; ${changeWords(changes)}` : ""}`];
}

function changeWords({ new: added, changed, gone }: NonNullable<MadeContext["changes"]>): string {
  const parts = [
    ...(added.length > 0 ? [`${count(added.length)} new`] : []),
    ...(changed.length > 0 ? [`${count(changed.length)} changed`] : []),
    ...(gone.length > 0 ? [`${count(gone.length)} no longer in it`] : []),
  ];
  return parts.length === 0 ? "nothing changed" : parts.join(", ");
}

function parseScore(text: string): number {
  const score = Number(text);
  if (text.trim() !== "" && score >= 0 && score <= 1) return score;
  throw new SetupError(`--min-score: ${text} is not from 0 to 1`, "--min-score 0.4");
}

function parseSections(text: string): SectionName[] {
  return text.split(",").map((word) => parseName(word.trim(), sectionNames, "section", "--sections"));
}

const parseFormat = (text: string): ContextFormat => parseName(text, contextFormats, "format", "--format");

function parseName<const Name extends string>(word: string, names: readonly Name[], what: string, flag: string): Name {
  const found = names.find((name) => name === word);
  if (found !== undefined) return found;
  const near = nearest(word, names);
  throw new SetupError(`there is no ${what} ${word}`, near ? `did you mean ${flag} ${near}?` : `${flag} one of ${names.join(", ")}`);
}
