/** Flags that `-h` shows for every command; `-hh` shows all. */
export const usualFlags: readonly string[] = ["--output", "--db", "--json", "--help"];

/** For commands with many flags, what most people need of them. The others show all that are their own. */
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

/** What `nuthatch` alone shows: enough to begin with. `nuthatch help` lists every command. */
export const frontCommands: readonly string[] = [
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
