import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ParsedDocument, parseDocument } from "../src/analysis/parse/index.ts";
import { openScorer } from "../src/analysis/score/index.ts";
import { resolve } from "../src/analysis/url/index.ts";
import { relevanceOf } from "../src/engine/crawl/index.ts";
import { keywordsInUrl, type RecordedWeb } from "../src/features/focus/replay.ts";

/** Handbooks from Debian packages, with topics to look for in each. */
export const handbooks = [
  {
    name: "Python 3.11 (python3.11-doc)",
    folder: "python3.11/html",
    topics: ["asyncio", "email", "socket", "thread", "logging", "test", "database", "encoding", "xml", "exception", "http", "time"],
  },
  {
    name: "SQLite 3.40 (sqlite3-doc)",
    folder: "sqlite3",
    topics: [
      "transaction",
      "index",
      "trigger",
      "virtual table",
      "memory",
      "mutex",
      "session",
      "column",
      "blob",
      "extension",
      "lock",
      "statement",
    ],
  },
  {
    name: "Git 2.39 (git-doc), not looked at before",
    folder: "git-doc",
    topics: ["branch", "merge", "commit", "remote", "index", "submodule", "hook", "patch", "tag", "credential", "pack", "diff"],
  },
] as const;

export interface Handbook {
  readonly seed: string;
  readonly documents: ReadonlyMap<string, ParsedDocument>;
}

const key = { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY };

/** Parses every page of a folder as a crawl would. */
export function openHandbook(folder: string): Handbook {
  const documents = new Map<string, ParsedDocument>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (!file.endsWith(".html")) continue;
    const url = `http://docs.test/${file}`;
    const input = { bytes: readFileSync(join(folder, file)), url, contentType: "text/html", as: "page", embeddedLinks: false } as const;
    documents.set(url, parseDocument({ ...input, withText: true }));
  }
  return { seed: "http://docs.test/index.html", documents };
}

/**
 * A page is a target if its title contains the topic, or if its text does at least ten times and once per hundred words. Link texts are not
 * counted, because otherwise every alphabetical index would be a target. The rule counts words only and is independent of our scorers.
 */
function isAbout({ title, text, links }: ParsedDocument, topic: string): boolean {
  const word = new RegExp(`(?<![a-z])${topic.replace(" ", "\\s+")}(e?s)?(?![a-z])`, "gi");
  const count = (where: string) => where.match(word)?.length ?? 0;
  const own = (measure: (where: string) => number) => measure(text) - links.reduce((sum, link) => sum + measure(link.text), 0);
  const times = own(count);
  return count(title?.value ?? "") > 0 || (times >= 10 && times * 100 >= own((where) => where.split(/\s+/).length));
}

export function webOfHandbook({ seed, documents }: Handbook, topic: string): RecordedWeb {
  const scorer = openScorer([topic]);
  const weights = { keywords: [[topic, 1]] as const, scoreRatio: 0.5 };
  const pages = [...documents].map(([url, document]) => {
    const links = document.links.flatMap(({ url: href = "", text, title, heading, block }) => {
      const to = resolve(href, undefined, key)?.url;
      if (to === undefined || !documents.has(to)) return [];
      return [{ url: to, score: scorer.match({ text, url: to, title, heading, context: block })[0]! }];
    });
    return { url, links, isTarget: isAbout(document, topic), relevance: relevanceOf(document, scorer, weights) };
  });
  return {
    seeds: [seed],
    urlScore: keywordsInUrl([topic]),
    pages: new Map(pages.map((page) => [page.url, page])),
  };
}
