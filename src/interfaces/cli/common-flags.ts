/** Flags that `-h` shows for every command; `-hh` shows all. */
export const usualFlags: readonly string[] = ["--output", "--db", "--json", "--help"];

/** The most used flags of commands with many flags. Other commands show all of their own. */
export const commonFlags: Readonly<Record<string, readonly string[]>> = {
  crawl: [
    "--preset",
    "--scope",
    "--include",
    "--exclude",
    "--max-depth",
    "--max-pages",
    "--keyword",
    "--rate-limit",
    "--contact",
    "--new",
    "--dry-run",
    "--fail-on",
  ],
  context: [
    "--max-links",
    "--min-score",
    "--max-depth",
    "--no-follow",
    "--sections",
    "--max-tokens",
    "--format",
    "--keyword",
    "--rate-limit",
    "--timeout",
  ],
  enrich: ["--seeds", "--fields", "--show-sources", "--batch-size", "--delay", "--timeout", "--max-topics"],
  config: ["--origin", "--preset"],
  llm: ["--set", "--llm", "--llm-url", "--llm-tokens", "--llm-budget", "--llm-price", "--llm-timeout"],
  resume: ["--max-pages", "--max-time", "--rate-limit", "--events", "--fail-on"],
};

/** Commands shown by `nuthatch` without arguments. `nuthatch help` lists every command. */
export const startPageCommands: readonly string[] = [
  "fetch",
  "crawl",
  "context",
  "pages",
  "links",
  "changes",
  "explain",
  "runs",
  "export",
  "init",
  "doctor",
  "demo",
];
