import { type Command, Option } from "commander";
import type { Change } from "../../../core/records.ts";
import { nearest, SetupError } from "../../../engine/config/index.ts";
import { plural } from "../../../engine/telemetry/index.ts";
import { type ChangeFeed, changes } from "../../../features/changes/changes.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { outputPath } from "../output.ts";
import { jsonDocument, type Shell, wantsColour } from "../shell.ts";
import { withStored } from "./stored.ts";

const FORMATS = ["text", "md", "html", "atom", "json"] as const;
type Format = (typeof FORMATS)[number];

interface ChangesFlags extends Globals {
  readonly since?: string;
  readonly between?: readonly string[];
  readonly only?: readonly Change[];
  readonly diff?: boolean;
  readonly stat?: boolean;
  readonly minScore?: number;
  readonly exitCode?: boolean;
  readonly anyVerdict?: boolean;
  readonly format?: Format;
}

const CHANGES: readonly Change[] = ["new", "changed", "gone", "unlinked", "unknown"];

export function build(shell: Shell, exit: (code: number) => void): Command {
  return newCommand("changes", "What changed since the previous run, the most important first. What changes by itself is left out.")
    .argument("[site]", "only of this site (default: the sites of the latest run)")
    .option("--since <when>", "previous, the number of a run, a date, or a time such as 7d (default: previous)")
    .option("--between <runs...>", "two runs, the earlier first")
    .option("--only <list>", `only ${CHANGES.join(", ")}`, parseChanges)
    .option("--diff", "show what changed: text, links, title and its like")
    .option("--stat", "only the counts")
    .option("--min-score <n>", "only pages and links that reach this score, 0 to 2; needs keywords", score)
    .option("--any-verdict", "also pages that turned out to be walls, errors or shells")
    .option("--exit-code", `exit with ${exitCodes.changes} if something is listed`)
    .addOption(
      new Option("--format <how>", "text, md, html, atom or json (default: by the name of the file, else text)").choices([...FORMATS]),
    )
    .addHelpText(
      "after",
      `
Examples:
  nuthatch changes --diff
  nuthatch changes --since 7d --only new,gone
  nuthatch changes --between 1 4 --format md
  nuthatch changes --format atom -O changes.atom`,
    )
    .action(async (siteText: string | undefined, flags: ChangesFlags) => {
      const format = formatOf(flags);
      const { between, site = siteText } = runPairOf(flags);
      const answer = openAnswer(shell, flags, "raw");
      await withStored(flags, shell, async (app) => {
        const { since, only, minScore, anyVerdict } = flags;
        const feed = await changes(app, { site, since, between, only, minScore, anyVerdict });
        await answer({ text: await renderFeed(feed, format, flags, shell) });
        if (feed.leftOut > 0 && !flags.quiet && !flags.json)
          shell.stderr.write(
            `left out: ${plural(feed.leftOut, "wall, error or shell", "walls, errors or shells")} instead of pages; --any-verdict shows them\n`,
          );
        if (feed.onlyNoise > 0 && !flags.quiet && !flags.json)
          shell.stderr.write(
            `left out: ${plural(feed.onlyNoise, "page that differs", "pages that differ")} only in what changes by itself or is ignored; nuthatch diff <url> --all shows it\n`,
          );
        if (flags.exitCode && feed.from && feed.pages.some(({ change }) => change !== "unknown")) exit(exitCodes.changes);
      });
    });
}

async function renderFeed(feed: ChangeFeed, format: Format, flags: ChangesFlags, shell: Shell): Promise<string> {
  const { diff = false, stat = false } = flags;
  if (format === "json") return jsonDocument(stat ? { ...feed, pages: undefined, links: undefined } : feed);
  if (format === "text") {
    const colour = outputPath(flags) === undefined && wantsColour(flags, shell, shell.stdout);
    return (await import("./change-text.ts")).changesAsText(feed, { diff, stat, colour });
  }
  const { changesAsAtom, changesAsHtml, changesAsMarkdown } = await import("../../../features/changes/change-markup.ts");
  return { md: changesAsMarkdown, html: changesAsHtml, atom: changesAsAtom }[format](feed, diff);
}

const extensions: readonly [RegExp, Format][] = [
  [/\.json$/i, "json"],
  [/\.md$/i, "md"],
  [/\.html?$/i, "html"],
  [/\.(atom|xml)$/i, "atom"],
];

function formatOf(flags: ChangesFlags): Format {
  if (flags.json && flags.format !== undefined && flags.format !== "json")
    throw new SetupError(`--json and --format ${flags.format} are two formats`, "leave one of them out");
  if (flags.json) return "json";
  return flags.format ?? extensions.find(([ending]) => ending.test(outputPath(flags) ?? ""))?.[1] ?? "text";
}

/** Supports a site after the two runs of `--between`; it used to be rejected as a third run. */
function runPairOf({ between, since }: ChangesFlags): { between?: [string, string]; site?: string } {
  if (between && since !== undefined) throw new SetupError("--between and --since are two questions", "leave one of them out");
  if (!between) return {};
  const [from, to, site, ...rest] = between;
  if (from === undefined || to === undefined || rest.length > 0)
    throw new SetupError("--between needs two runs", "nuthatch changes --between 1 4");
  return { between: [from, to], ...(site !== undefined && { site }) };
}

function parseChanges(text: string): Change[] {
  return text.split(",").map((word) => {
    const name = word.trim();
    const known = CHANGES.find((change) => change === name);
    if (known) return known;
    const near = nearest(name, CHANGES);
    throw new SetupError(`--only cannot be ${name || "empty"}`, near ? `did you mean ${near}?` : `one of ${CHANGES.join(", ")}`);
  });
}

function score(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 2) return value;
  throw new SetupError(`--min-score: ${text} is not a score`, "a number from 0 to 2, such as 0.8");
}
