import { VERSION } from "../../core/version.ts";
import { type PresetName, presets } from "../../engine/config/index.ts";

/** The answers given to `nuthatch init`. */
export interface Answers {
  readonly site: string;
  readonly keywords: readonly (readonly [word: string, weight: number])[];
  readonly every: Every;
  readonly contact: string | undefined;
  readonly db: string | undefined;
}

export const intervals = ["daily", "weekly", "monthly", "never"] as const;
export type Every = (typeof intervals)[number];

export interface Template {
  readonly about: string;
  readonly preset: PresetName;
  /** Further config lines, besides the address of the site. */
  readonly options: readonly string[];
  /** Commands to suggest after the files are written. */
  readonly next: readonly string[];
  readonly hasWorkflow?: boolean;
}

export const templates = {
  monitor: { about: "watch a site for what is new, changed or gone", preset: "monitor", options: [], next: ["nuthatch crawl"] },
  rag: {
    about: "keep the text of a product's pages fresh for a model",
    preset: "monitor",
    options: ["scope: prefix # only what lies below the address", "fingerprint: text # other links alone are no change"],
    next: ["nuthatch crawl", "nuthatch export jsonl -o pages.jsonl"],
  },
  tse: {
    about: "a page directory for an indexer of the Tiny Search Engine",
    preset: "tse",
    options: ["maxDepth: 3"],
    next: ["nuthatch crawl", "mkdir data && nuthatch export pagedir -o data"],
  },
  broad: {
    about: "many hosts, beginning from a few",
    preset: "broad",
    options: ["maxPages: 100000 # stop after this many"],
    next: ["nuthatch crawl"],
  },
  "github-action": {
    about: "watch a site from a GitHub repository, which keeps what changed as CSV",
    preset: "monitor",
    options: [],
    next: ["nuthatch crawl", "git add . && git commit -m 'Watch a site' && git push"],
    hasWorkflow: true,
  },
} as const satisfies Record<string, Template>;

/** A JSON string is valid YAML, and cannot break out of its line. */
const quoted = JSON.stringify;

export function configText({ preset, options }: Template, { site, keywords, every, contact, db }: Answers): string {
  const lines = [
    "# Options of nuthatch. `nuthatch config show --origin` tells which hold, `nuthatch config schema` names all there are.",
    `preset: ${preset} # ${presets[preset].about}`,
    ...(db === undefined ? [] : [`db: ${quoted(db)}`]),
    "",
    "# Owners of sites find this in our user agent, and can reach you.",
    contact === undefined ? "# contact: you@example.org" : `contact: ${quoted(contact)}`,
    "",
    "sites:",
    `  - url: ${quoted(site)}`,
    ...options.map((line) => `    ${line}`),
    ...(keywords.length === 0 ? [] : keywordLines(keywords)),
    ...(every === "never" ? [] : scheduleLines(every, site)),
  ];
  return `${lines.join("\n")}\n`;
}

const keywordLines = (keywords: Answers["keywords"]) => [
  "    keywords: # what matters here, each with a weight of 0 to 1",
  ...keywords.map(([word, weight]) => `      ${quoted(word)}: ${weight}`),
];

const scheduleLines = (every: Exclude<Every, "never">, site: string) => [
  "",
  `# Nothing starts by itself yet. To crawl ${every}, add this line with \`crontab -e\`:`,
  `# ${cronOf(every, site)}  cd /the/folder/of/this/file && npx nuthatch crawl --no-input --quiet`,
];

/** Early in the morning, with the minute derived from the site, so that not all sites are crawled at the full hour. */
export function cronOf(every: Exclude<Every, "never">, site: string): string {
  const minute = [...site].reduce((sum, character) => sum + character.codePointAt(0)!, 0) % 60;
  return { daily: `${minute} 5 * * *`, weekly: `${minute} 5 * * 1`, monthly: `${minute} 5 1 * *` }[every];
}

export const ignoreText = `# URLs that are never visited, one pattern a line: a glob, or an expression between slashes. Take away a # to use one.
# /calendar/**
# **/print/**
# /[?&]sort=/
`;

export const gitIgnoreText = (db: string | undefined) =>
  `# The data file of nuthatch, and what SQLite keeps beside it.\n${db ?? "nuthatch.db"}*\n`;

/** The data file is kept as an artifact between workflow runs, because the second visit is compared with the first. */
export const workflowText = ({
  every,
  site,
  db = "nuthatch.db",
}: Answers) => `# Crawls the sites of the config file and commits what changed as changes.csv.
name: nuthatch
on:
  workflow_dispatch:
${every === "never" ? "" : `  schedule:\n    - cron: "${cronOf(every, site)}"\n`}permissions:
  contents: write
  actions: read
concurrency: nuthatch
jobs:
  crawl:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Fetch the data file of the last run
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          last=$(gh run list --workflow nuthatch.yml --status success --limit 1 --json databaseId --jq '.[0].databaseId')
          if [ -n "$last" ]; then gh run download "$last" --name nuthatch-data || echo "No data file yet"; fi
      - name: Crawl
        run: |
          npx --yes nuthatch@${VERSION} crawl --no-input
          npx --yes nuthatch@${VERSION} export csv --what changes -O changes.csv
      - name: Keep the data file for the next run
        uses: actions/upload-artifact@v4
        with:
          name: nuthatch-data
          path: ${quoted(db)}
          retention-days: 90
      - name: Commit what changed
        run: |
          git config user.name nuthatch
          git config user.email nuthatch@users.noreply.github.com
          git add changes.csv
          git diff --cached --quiet || git commit --message "What changed"
          git push
`;
