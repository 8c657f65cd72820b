import type { Command } from "commander";
import { count, plural, printable } from "../../../engine/telemetry/index.ts";
import { type SearchResult, type SearchResults, search } from "../../../features/search/search.ts";
import { searchSorts } from "../../../store/index.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { addListFlags, type ListFlags, type ListShape, listAnswer } from "../list.ts";
import { outputPath } from "../output.ts";
import { type Shell, wantsColour, write } from "../shell.ts";
import { withStored } from "./stored.ts";

interface SearchFlags extends ListFlags {
  readonly site?: string;
  readonly since?: string;
  readonly until?: string;
  readonly lang?: string;
  readonly topic?: string;
  readonly all?: boolean;
}

const shape: ListShape = {
  columns: ["id", "score", "title", "url", "snippet", "firstSeenAt", "lang", "site"],
  sorts: searchSorts,
  sort: "relevance",
  limit: 10,
};

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand("search", "Stored pages that hold all of these words, the best first. Nothing is asked of the web.").argument(
    "<words...>",
    'words; in single quotes also "a phrase", -without, and begin*',
  );
  return addListFlags(command, shape)
    .option("--site <site>", "only pages of this site")
    .option("--since <when>", "only what was first seen so since: a date, or how long ago (7d)")
    .option("--until <when>", "only what was first seen so until then")
    .option("--lang <code>", "only pages in this language: en, pt-BR")
    .option("--topic <name>", "only pages about this")
    .option("--all", "also copies, walls, errors, and pages that ask not to be indexed")
    .addHelpText(
      "after",
      `
Examples:
  nuthatch search town budget
  nuthatch search '"town council" budget* -draft' --since 30d
  nuthatch search opening hours --site example.org --sort date`,
    )
    .action(async (words: string[], flags: SearchFlags) => {
      const answer = openAnswer(shell, flags, "list");
      await withStored(flags, shell, async (app) => {
        const { site, since, until, lang, topic, all, sort, limit } = flags;
        const onPages = flags.quiet ? undefined : progressPrinter(shell);
        const found = await search(app, { words: words.join(" "), site, since, until, lang, topic, all, sort, limit, onPages });
        await answer(answerOf(found, flags, outputPath(flags) === undefined && wantsColour(flags, shell, shell.stdout)));
        if (!flags.quiet && !flags.json) await write(shell.stderr, `${totalsLine(found)}\n`);
      });
    });
}

function answerOf({ total, leftOut, results }: SearchResults, flags: SearchFlags, inColour: boolean) {
  const listed = results.map((result) => ({ record: result, row: { ...result, snippet: result.snippet.text } }));
  const answer = listAnswer("results", shape, flags, listed);
  const text = flags.fields ? answer.text : results.map((result) => lines(result, inColour)).join("\n");
  return {
    ...answer,
    text,
    document: {
      ...answer.document,
      total,
      leftOut,
      hasMore: results.length < total,
      ...(results.length < total && { rest: "--limit none takes all" }),
    },
  };
}

function lines({ title, url, firstSeenAt, snippet }: SearchResult, inColour: boolean): string {
  const style = (code: number, text: string) => (inColour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const head = title === null ? style(1, printable(url)) : `${style(1, printable(title, 200))}\n  ${printable(url)}`;
  const shown = highlight(snippet, (text) => (inColour ? style(33, text) : `**${text}**`));
  return `${head}  ${style(2, firstSeenAt.slice(0, 10))}\n${shown === "" ? "" : `  ${shown}\n`}`;
}

/** Escaped part by part, because escaping changes the length of the text and so the match offsets. */
function highlight({ text, matches }: SearchResult["snippet"], mark: (text: string) => string): string {
  let [shown, done] = ["", 0];
  for (const [from, to] of matches) {
    shown += printable(text.slice(done, from)) + mark(printable(text.slice(from, to)));
    done = to;
  }
  return shown + printable(text.slice(done));
}

function totalsLine({ total, leftOut, results }: SearchResults): string {
  const pages = plural(total, "page", "pages");
  const found = total === 0 ? "no pages" : results.length < total ? `${count(results.length)} of ${pages}; --limit shows more` : pages;
  return leftOut === 0 ? found : `${found}; left out: ${count(leftOut)} (copies, walls, errors, noindex): --all takes them too`;
}

/** Prints progress at most once a second, and at the beginning. */
const PROGRESS_INTERVAL_MS = 1000;

function progressPrinter({ stderr }: Shell): (done: number, total: number) => void {
  let printedAt = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    if (performance.now() - printedAt < PROGRESS_INTERVAL_MS && done < total) return;
    printedAt = performance.now();
    stderr.write(`made ready to be found: ${count(done)} of ${plural(total, "stored page", "stored pages")}\n`);
  };
}
