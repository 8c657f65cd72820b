import type { Command } from "commander";
import type { Shell } from "./shell.ts";

/** A command is loaded only when it is called, so that help is instant. */
export interface CommandEntry {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly group: "Everyday" | "Look" | "Run control" | "Out" | "Set-up and care" | "Try";
  readonly load: () => Promise<{ build(shell: Shell, exit: (code: number) => void): Command }>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: "fetch",
    usage: "fetch <url>",
    summary: "one page as Markdown; nuthatch <url> is the same",
    group: "Everyday",
    load: () => import("./fetch.ts"),
  },
  {
    name: "crawl",
    usage: "crawl <url…>",
    summary: "crawl sites; what is known is only looked at again",
    group: "Everyday",
    load: () => import("./crawl.ts"),
  },
  {
    name: "enrich",
    usage: "enrich <url…|->",
    summary: "what pages say about themselves, and where it came from",
    group: "Everyday",
    load: () => import("./enrich.ts"),
  },
  {
    name: "context",
    usage: "context <url>",
    summary: "a page and the links that explain it, as one text for a model",
    group: "Everyday",
    load: () => import("./context.ts"),
  },
  {
    name: "changes",
    usage: "changes [site]",
    summary: "what changed since the run before, page by page",
    group: "Everyday",
    load: () => import("./changes.ts"),
  },
  {
    name: "tse",
    usage: "tse <seedURL> <pageDirectory> <maxDepth>",
    summary: "the Tiny Search Engine's crawler; also installed as `crawler`",
    group: "Everyday",
    load: () => import("./tse.ts"),
  },
  {
    name: "map",
    usage: "map <url>",
    summary: "the URLs of a site, from its sitemaps and links",
    group: "Look",
    load: () => import("./map.ts"),
  },
  { name: "pages", usage: "pages [site]", summary: "the pages that are stored", group: "Look", load: () => import("./pages.ts") },
  {
    name: "search",
    usage: "search <words>",
    summary: "stored pages by their words, the best first",
    group: "Look",
    load: () => import("./search.ts"),
  },
  {
    name: "links",
    usage: "links [site]",
    summary: "the links that match your keywords best",
    group: "Look",
    load: () => import("./links.ts"),
  },
  { name: "show", usage: "show <page|url>", summary: "everything about one page", group: "Look", load: () => import("./show.ts") },
  {
    name: "diff",
    usage: "diff <page|url>",
    summary: "what became of a page between two stored versions",
    group: "Look",
    load: () => import("./diff.ts"),
  },
  {
    name: "explain",
    usage: "explain <url>",
    summary: "why was this URL crawled, or not?",
    group: "Look",
    load: () => import("./explain.ts"),
  },
  {
    name: "focus",
    usage: "focus eval [db]",
    summary: "how soon each order of visiting comes to what matters",
    group: "Look",
    load: () => import("./focus.ts"),
  },
  {
    name: "robots",
    usage: "robots <url>",
    summary: "what a site's robots.txt says to us",
    group: "Look",
    load: () => import("./robots.ts"),
  },
  {
    name: "runs",
    usage: "runs [list|show|stop|rm] [run]",
    summary: "the runs so far; stop one, or remove it",
    group: "Run control",
    load: () => import("./runs.ts"),
  },
  {
    name: "resume",
    usage: "resume [run]",
    summary: "carry on with a run that was interrupted",
    group: "Run control",
    load: () => import("./resume.ts"),
  },
  {
    name: "sites",
    usage: "sites [list|show|rm] [site]",
    summary: "the sites so far, and what to do next with each",
    group: "Run control",
    load: () => import("./sites.ts"),
  },
  {
    name: "keywords",
    usage: "keywords [site] [list|set|rm] [word…]",
    summary: "what matters on a site, and how much",
    group: "Run control",
    load: () => import("./keywords.ts"),
  },
  {
    name: "export",
    usage: "export <jsonl|csv|md|llms|sitemap|feed|pagedir|warc|sqlite> [site]",
    summary: "pages, links, changes or decisions as files",
    group: "Out",
    load: () => import("./export.ts"),
  },
  {
    name: "serve",
    usage: "serve",
    summary: "the REST API with its documentation, and the dashboard",
    group: "Out",
    load: () => import("./serve.ts"),
  },
  {
    name: "keys",
    usage: "keys [list|create|rm]",
    summary: "who may ask the server",
    group: "Set-up and care",
    load: () => import("./keys.ts"),
  },
  {
    name: "init",
    usage: "init [template]",
    summary: "write a config file by answering four questions",
    group: "Set-up and care",
    load: () => import("./init.ts"),
  },
  {
    name: "config",
    usage: "config [show|validate|schema]",
    summary: "the options as they hold, and who said so",
    group: "Set-up and care",
    load: () => import("./config.ts"),
  },
  {
    name: "prune",
    usage: "prune [site]",
    summary: "remove old versions, ledgers of old runs, pages that are gone",
    group: "Set-up and care",
    load: () => import("./prune.ts"),
  },
  {
    name: "db",
    usage: "db <path|check|vacuum|backup|migrate>",
    summary: "the data file: where it is, whether it is sound, a copy of it",
    group: "Set-up and care",
    load: () => import("./db.ts"),
  },
  {
    name: "completion",
    usage: "completion <bash|zsh|fish>",
    summary: "teach your shell to complete commands and flags",
    group: "Set-up and care",
    load: async () => (await import("./completion.ts")).completing(commands),
  },
  {
    name: "llm",
    usage: "llm <score|eval> [site]",
    summary: "let a model judge stored links, or measure how well it does",
    group: "Set-up and care",
    load: () => import("./llm.ts"),
  },
  {
    name: "doctor",
    usage: "doctor [url]",
    summary: "is all well here, and how does a site answer?",
    group: "Set-up and care",
    load: () => import("./doctor.ts"),
  },
  {
    name: "demo",
    usage: "demo",
    summary: "crawl a small made-up town on your machine",
    group: "Try",
    load: () => import("./demo.ts"),
  },
  {
    name: "bench",
    usage: "bench",
    summary: "how fast it is on this machine, without the web",
    group: "Try",
    load: () => import("./bench.ts"),
  },
];
