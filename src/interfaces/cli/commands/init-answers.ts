import { basename, relative } from "node:path";
import { seedsBy } from "../../../core/seed.ts";
import { dbIn, nearest, readConfigFile, readKeyword, resolveConfig, SetupError, sitesIn } from "../../../engine/config/index.ts";
import { checkCrawl } from "../../../features/crawl/crawl.ts";
import { askQuestions, canAsk } from "../ask.ts";
import type { Globals } from "../globals.ts";
import { paragraph, type Shell, write } from "../shell.ts";
import { type Answers, type Every, intervals } from "../templates.ts";

export interface InitFlags extends Globals {
  readonly site?: string;
  readonly keywords?: string;
  readonly every?: string;
  readonly contact?: string;
}

/** For adding a workflow to an existing config file, which already answers the other questions. */
export async function answersFromFile(config: string, { every = "" }: InitFlags, shell: Shell): Promise<Answers> {
  const file = await readConfigFile(basename(config), shell.stdin);
  const db = dbIn(file);
  const [site = ""] = sitesIn(file);
  return { site, keywords: [], every: parseInterval(every), contact: undefined, db: db && relative(shell.cwd, db) };
}

/** Answers from flags; missing ones are asked if a person is at the terminal. */
export async function collectAnswers(flags: InitFlags, shell: Shell): Promise<Answers> {
  const given = {
    site: flags.site === undefined ? undefined : parseSite(flags.site),
    keywords: flags.keywords === undefined ? undefined : parseKeywords(flags.keywords),
    every: flags.every === undefined ? undefined : parseInterval(flags.every),
    contact: flags.contact === undefined ? undefined : parseContact(flags.contact),
  };
  const { db } = flags;
  if (flags.yes || !canAsk(flags, shell)) {
    if (given.site === undefined) throw new SetupError("no site was given", "nuthatch init --site https://example.org");
    return { site: given.site, keywords: given.keywords ?? [], every: given.every ?? "weekly", contact: given.contact, db };
  }
  return askQuestions(shell, async (askLine) => {
    const askUntilValid = async <T>(question: string, read: (line: string) => T): Promise<T> => {
      for (;;) {
        const line = await askLine(question);
        try {
          return read(line);
        } catch (error) {
          if (!(error instanceof SetupError)) throw error;
          await write(shell.stderr, paragraph([`  ${error.message}: ${error.hint}`]));
        }
      }
    };
    return {
      site: given.site ?? (await askUntilValid("Which site? Its address: ", parseSite)),
      keywords: given.keywords ?? (await askUntilValid("What matters to you there? Words, with commas (Enter for none): ", parseKeywords)),
      every: given.every ?? (await askUntilValid(`How often? ${intervals.join(", ")} (Enter for weekly): `, parseInterval)),
      contact:
        given.contact ??
        (await askUntilValid("Where can site owners reach you? Mail or URL, sent with each request (Enter for nowhere): ", parseContact)),
      db,
    };
  });
}

const parseSite = (text: string): string => checkCrawl(seedsBy("person", [text]), resolveConfig([]))[0]!.url;

const parseKeywords = (text: string): Answers["keywords"] =>
  text
    .split(/[,\n]/)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const keyword = readKeyword(part);
      if (keyword) return keyword;
      throw new SetupError(`${part.trim()} is no keyword`, "write words or phrases, with a weight of 0 to 1 if you like: budget=0.5");
    });

function parseInterval(text: string): Every {
  const found = intervals.find((interval) => interval === (text.toLowerCase() || "weekly"));
  if (found) return found;
  const near = nearest(text, intervals);
  throw new SetupError(`${text} is no interval`, near ? `did you mean ${near}?` : intervals.join(", or "));
}

function parseContact(text: string): string | undefined {
  const contact = text.trim() || undefined;
  return resolveConfig([{ from: "the command line", values: { contact }, spell: () => "--contact" }]).contact;
}
