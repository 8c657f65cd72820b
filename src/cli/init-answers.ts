import { basename, relative } from "node:path";
import { dbIn, nearest, readConfigFile, readKeyword, resolveConfig, SetupError, sitesIn } from "../config/index.ts";
import { checkCrawl } from "../operations/crawl.ts";
import { seedsBy } from "../seed.ts";
import { converse, mayAsk } from "./ask.ts";
import type { Globals } from "./globals.ts";
import { paragraph, type Shell, write } from "./shell.ts";
import { type Answers, type Every, intervals } from "./templates.ts";

export interface InitFlags extends Globals {
  readonly site?: string;
  readonly keywords?: string;
  readonly every?: string;
  readonly contact?: string;
}

/** For adding a workflow to an existing config file, which already answers the other questions. */
export async function answersIn(config: string, { every = "" }: InitFlags, shell: Shell): Promise<Answers> {
  const file = await readConfigFile(basename(config), shell.stdin);
  const db = dbIn(file);
  const [site = ""] = sitesIn(file);
  return { site, keywords: [], every: everyIn(every), contact: undefined, db: db && relative(shell.cwd, db) };
}

/** Answers from flags; missing ones are asked if a person is at the terminal. */
export async function answersTo(flags: InitFlags, shell: Shell): Promise<Answers> {
  const given = {
    site: flags.site === undefined ? undefined : siteIn(flags.site),
    keywords: flags.keywords === undefined ? undefined : wordsIn(flags.keywords),
    every: flags.every === undefined ? undefined : everyIn(flags.every),
    contact: flags.contact === undefined ? undefined : contactIn(flags.contact),
  };
  const { db } = flags;
  if (flags.yes || !mayAsk(flags, shell)) {
    if (given.site === undefined) throw new SetupError("no site was given", "nuthatch init --site https://example.org");
    return { site: given.site, keywords: given.keywords ?? [], every: given.every ?? "weekly", contact: given.contact, db };
  }
  return converse(shell, async (put) => {
    const until = async <T>(question: string, read: (line: string) => T): Promise<T> => {
      for (;;) {
        const line = await put(question);
        try {
          return read(line);
        } catch (error) {
          if (!(error instanceof SetupError)) throw error;
          await write(shell.stderr, paragraph([`  ${error.message}: ${error.hint}`]));
        }
      }
    };
    return {
      site: given.site ?? (await until("Which site? Its address: ", siteIn)),
      keywords: given.keywords ?? (await until("What matters to you there? Words, with commas (Enter for none): ", wordsIn)),
      every: given.every ?? (await until(`How often? ${intervals.join(", ")} (Enter for weekly): `, everyIn)),
      contact:
        given.contact ??
        (await until("Where can site owners reach you? Mail or URL, sent with each request (Enter for nowhere): ", contactIn)),
      db,
    };
  });
}

const siteIn = (text: string): string => checkCrawl(seedsBy("person", [text]), resolveConfig([]))[0]!.url;

const wordsIn = (text: string): Answers["keywords"] =>
  text
    .split(/[,\n]/)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const keyword = readKeyword(part);
      if (keyword) return keyword;
      throw new SetupError(`${part.trim()} is no keyword`, "write words or phrases, with a weight of 0 to 1 if you like: budget=0.5");
    });

function everyIn(text: string): Every {
  const found = intervals.find((interval) => interval === (text.toLowerCase() || "weekly"));
  if (found) return found;
  const near = nearest(text, intervals);
  throw new SetupError(`${text} is no interval`, near ? `did you mean ${near}?` : intervals.join(", or "));
}

function contactIn(text: string): string | undefined {
  const contact = text.trim() || undefined;
  return resolveConfig([{ from: "the command line", values: { contact }, spell: () => "--contact" }]).contact;
}
