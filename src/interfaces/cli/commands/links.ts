import type { Command } from "commander";
import { isKeyword, keywordLines, readKeyword, resolveLayers, SetupError } from "../../../engine/config/index.ts";
import { linkSorts, type RankedLink, rankLinks } from "../../../features/links/links.ts";
import { findSite } from "../../../features/pages/find.ts";
import { layersOf, newCommand, readFlagFile } from "../command.ts";
import { addListFlags, type ListFlags, type ListItem, type ListShape, openList } from "../list.ts";
import type { Shell } from "../shell.ts";
import { withStored } from "./stored.ts";

interface LinksFlags extends ListFlags {
  readonly keyword?: readonly string[];
  readonly any?: boolean;
  readonly minScore?: number;
  readonly new?: boolean;
  readonly type?: readonly string[];
  readonly since?: string;
  readonly sources?: boolean;
  readonly muted?: boolean;
  readonly weights?: string;
}

const shape: ListShape = {
  columns: ["score", "keywords", "text", "url", "type", "pages", "new", "firstRun", "site", "page", "heading"],
  shown: ["score", "new", "pages", "keywords", "text", "url"],
  sorts: linkSorts,
  sparse: ["new"],
  widths: { text: 48 },
  sort: "-score",
};
const SOURCE_COLUMNS = ["score", "keywords", "text", "page", "url"];

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand(
    "links",
    "Links that your keywords apply to, the best first: of a page of yours, to a document, to another host.",
  ).argument("[site]", "only those on this site");
  return addListFlags(command, shape)
    .option("-k, --keyword <word>", "only links this applies to; more than one: all of them", parseKeyword)
    .option("--any", "with --keyword: one of them is enough")
    .option("--min-score <n>", "only links worth this much, of 0 (any keyword) to 2", parseScore)
    .option("--new", "only what the latest run was the first to find")
    .option("--since <when>", "only what was first found since: a run, a date, or how long ago (7d)")
    .option("--type <list>", "only links to these: pdf, html, docx…", parseTypes)
    .option("--sources", "each page that has it, with its words there")
    .option("--muted", "only links that were muted (in the dashboard or the API), which are left out otherwise")
    .option("--weights <file>", "as if these were the weights: a word=weight a line; nothing is stored")
    .addHelpText(
      "after",
      `
Examples:
  nuthatch links --new --min-score 0.8
  nuthatch links example.org --keyword budget --type pdf
  nuthatch links --sources --json`,
    )
    .action(async (siteText: string | undefined, flags: LinksFlags) => {
      const shown = flags.sources ? { ...shape, shown: SOURCE_COLUMNS } : shape;
      const list = openList(shell, flags, { name: "links", shape: shown, allOfIt: "nuthatch export --what links" });
      const weights = flags.weights === undefined ? undefined : readWeights(flags.weights);
      await withStored(flags, shell, async (app, _db, file) => {
        const site = siteText === undefined ? undefined : await findSite(app, siteText);
        const { keyword: keywords, any: isAny, minScore, new: isNew, since, type: types, muted: isMuted, sort } = flags;
        const resolved = resolveLayers(layersOf({}, shell, file, site ? [site.url] : []));
        const ratio = resolved.origins.has("scoreRatio") ? resolved.config.scoreRatio : undefined;
        const query = {
          site,
          keywords,
          isAny,
          minScore,
          isNew,
          since,
          types,
          isMuted,
          weights,
          ratio,
          sort,
          limit: flags.limit,
          withSources: flags.sources,
        };
        const { links, total } = await rankLinks(app, query);
        await list(links.flatMap(listed), total);
      });
    });
}

function listed(link: RankedLink): ListItem[] {
  const words = Object.entries(link.keywords).sort(([, a], [, b]) => b - a);
  const row = {
    ...link,
    score: Math.round(link.score * 100) / 100,
    keywords: words.map(([word, match]) => `${word} ${match}`).join(", "),
    new: link.isNew ? "new" : "",
  };
  if (!link.sources) return [{ record: link, row }];
  return link.sources.map(({ page, heading, text }, index) => ({
    record: index === 0 ? link : undefined,
    row: { ...row, text, page, heading },
  }));
}

function parseScore(text: string): number {
  const score = Number(text);
  if (text.trim() !== "" && score >= 0 && score <= 2) return score;
  throw new SetupError(`--min-score: ${text} is no score`, "a number of 0 to 2: --min-score 0.8");
}

function parseKeyword(text: string, others: readonly string[] = []): string[] {
  if (isKeyword(text)) return [...others, text];
  throw new SetupError(`--keyword: "${text}" is no keyword`, "a word or phrase without its weight: --keyword budget");
}

function parseTypes(text: string): string[] {
  const types = text.split(",").map((type) => type.trim().toLowerCase().replace(/^\./, ""));
  const wrong = types.find((type) => !/^[a-z0-9_+-]{1,20}$/.test(type));
  if (wrong === undefined) return types;
  throw new SetupError(`--type: "${wrong}" is no type of file`, "--type pdf, or --type pdf,docx");
}

function readWeights(path: string): Record<string, number> {
  return Object.fromEntries(
    keywordLines(readFlagFile(path, "--weights")).map((line) => {
      const keyword = readKeyword(line);
      if (keyword) return keyword;
      throw new SetupError(
        `${path}: ${line} is no keyword with a weight of 0 to 1`,
        "write a word or phrase, and its weight after a =: budget=0.5",
      );
    }),
  );
}
