import { exitCodes, exitMeanings } from "./exit-codes.ts";
import type { Row } from "./layout.ts";

/** A help topic that belongs to no single command: paragraphs, or rows of term and description. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly body: readonly (string | readonly Row[])[];
}

export const topics: readonly Topic[] = [
  {
    name: "scope",
    summary: "which URLs belong to a crawl",
    body: [
      "A crawl visits what lies within its scope. --scope says how far from the seeds that goes:",
      [
        ["page", "the seeds alone"],
        ["prefix", "what lies in the folder of a seed: https://example.org/docs/ and below"],
        ["host", "everything on the host of a seed (the default); www.example.org is another host than example.org"],
        ["domain", "all hosts of the registered domain: example.org, www.example.org, library.example.org"],
        ["any", "wherever links lead; think of --max-pages and --max-time"],
      ],
      "Within it, --include keeps only what matches one of its patterns and --exclude drops what matches one of its own; exclude wins. A pattern is a glob or an expression between slashes:",
      [
        ["/blog/**", "begins with a slash: compared with path and query"],
        ["*.pdf", "without a slash: the last part of the URL, or a host (example.org)"],
        ["example.org/docs/**", "without a scheme: a host and its path, or a path (docs/**)"],
        ["https://*.example.org/**", "anything else: the whole URL"],
        ["/[?&]print=/", "a regular expression, compared with the whole URL"],
      ],
      "* stays within one part of a path, ** crosses parts, ? is one character. Put patterns in quotes, or the shell reads them first.",
      "Expressions have the syntax of RE2 (https://github.com/google/re2/wiki/Syntax), with the flags i, m and s: no lookahead, no lookbehind and no backreferences, so that no URL takes long to match. An expression has at most 2,000 characters.",
      "Limits: --max-depth (clicks from a seed, which is 0), --max-components and --max-length (of a URL), --max-params (cuts the rest), --deny-hosts, --skip-extensions. Endless calendars and lists are left by themselves (--trap-guard). Seeds are visited even where a limit would refuse them, unless they are excluded.",
      "Every URL that was left out has its reason: nuthatch explain <url>.",
    ],
  },
  {
    name: "keywords",
    summary: "what matters to you, and what a link is worth",
    body: [
      "Name words or phrases with weights from 0 to 1, and every link gets a score:",
      [
        ["-k budget", "with crawl; weight 1. A site remembers its keywords for the next time"],
        ["-k 'meeting minutes=0.9'", "a phrase, and how much it matters"],
        ["--keywords words.txt", "the same, one a line; in a config file: keywords: { budget: 1 }"],
        ["nuthatch keywords set bridge=0.5", "at any time; nothing is fetched again"],
        ["nuthatch links --new --min-score 0.8", "what the latest run found, the best first"],
      ],
      "A match from 0 to 1 says how far a keyword applies to a link: by its words, the words of its URL, its title, the heading above and the text around it. 1 is the word itself or its plural; other forms, other names for the thing and words that mean nearly the same are below. --scorer lexical leaves it at the words.",
      "Matches times weights, the best first: the first counts whole, the second half, the third a quarter. With budget 0.8, minutes 0.6 and bridge 0.4 that is 0.8 + 0.3 + 0.1 = 1.2; no number of keywords reaches 2. --score-ratio changes the half. Keywords that a model names and nobody listed weigh 0.25.",
      "--llm <model> lets a language model judge links after the crawl, within --llm-budget; see nuthatch llm -h. What each link got and why: nuthatch links --sources --json.",
    ],
  },
  {
    name: "scoring",
    summary: "which links are followed first",
    body: [
      "Links are ranked, so that a crawl that is cut short has seen what matters.",
      "With keywords, --order best (the default) follows first what is likely to lead to them: a link counts by its own words, by what the page that has it is about and was reached through, and by what links of its kind have brought so far in this run. Kinds nobody tried yet are tried now and then. nuthatch help keywords tells how words are weighed.",
      "Without keywords, or where they do not tell, each URL has a worth from 0 to 1, the weighted mean of:",
      [
        ["type", "weight 3: home page 1, article 2/3, product 1/3, other 0; guessed from the URL, and known once it was visited"],
        ["freshness", "weight 2: how recently its sitemap says it changed, halved every 30 days"],
        ["shallowness", "weight 2: few clicks and a short path"],
        ["inbound", "weight 1: how many pages link to it"],
      ],
      "Eight queues hold them by worth. A better queue is taken from four times as often as the next, and the last is never starved. The weights are the option priority of the config file; a weight of 0 leaves a factor out, and hosts puts groups of hosts before others.",
      "--order breadth takes the nearest first, --order depth the last heard first. The order never changes what is visited, only when: a crawl that is not cut short sees the same pages.",
    ],
  },
  {
    name: "metadata",
    summary: "what pages say about themselves, and how a value is chosen",
    body: [
      "Every page that is crawled, fetched or enriched says what it is: title, description, image, author, dates, language, site name, canonical address, topics and main text. Each value has its source (h1, og:image, meta:author), how sure we are of it (0 to 1), and what lost with the reason.",
      [
        ["nuthatch enrich <url>", "of any addresses, also from a file (--seeds) or standard input (-)"],
        ["--show-sources", "what else was offered, and why it lost"],
        ["nuthatch show <page> -v", "the same of a stored page"],
        ["nuthatch pages --missing image", "stored pages that lack something"],
        ["nuthatch enrich --missing", "fills in what stored pages lack; --reset marks some to be made anew"],
      ],
      "All that offers a value is weighed: where it stood, who agrees with it, how it looks. --cascade classic takes the sources in a fixed order instead. --topics gives every page topics of your own, which go first.",
      "The verdict of a page is ok, or what it is instead: soft-404, bot-wall, consent-wall, login-wall, script-shell or parked. Exports and changes leave those out; nuthatch export --any-verdict takes them.",
      "Metadata are made from the one time a page is read; --no-enhance leaves them out. With --llm, pages without a description or topics are shown to a model, within --llm-budget.",
    ],
  },
  {
    name: "changes",
    summary: "what counts as a change, and what does not",
    body: [
      "Every crawl of a known site tells what became of each page since the run before:",
      [
        ["new", "not known before"],
        ["changed", "its text, pictures, links or head differ (--fingerprint)"],
        ["same", "neither does, or only what changes by itself"],
        ["gone", "404 or 410; or nobody names it in a complete run, and it does not answer"],
        ["unlinked", "it answers, but nothing in a complete run leads to it"],
        ["unknown", "not reached. A run that did not see everything never says gone"],
      ],
      "Clocks, counters, tokens and blocks that take turns change by themselves. What does is known by evidence: from earlier looks at a page and its like, and in the second run from fetching a few pages of each kind twice. From the third run on it should not be seen; nuthatch diff <page> --all shows it.",
      [
        ["nuthatch changes --diff", "pages and links since the previous run, the most important first"],
        ["--since 7d, --between 1 4", "any two moments that have a run"],
        ["--format md, html, atom", "to be read elsewhere; --exit-code gives 12 to a script"],
        ["nuthatch diff <page>", "two versions of one page; ten are kept (--keep-versions)"],
      ],
      "nuthatch crawl --due visits only what has probably changed by now, and what is new on it. It is cheap enough for every hour; a whole crawl now and then is still needed, since only that can tell what is gone.",
    ],
  },
  {
    name: "politeness",
    summary: "how often a host is asked, and who decides",
    body: [
      "A host is asked once a second at most, and one request at a time, unless you say otherwise. Politeness is per host: other hosts go on meanwhile (--max-concurrent in total). The pause is the longest of:",
      [
        ["our rate", "--rate-limit 1/s, 30/m; with --per-host for more than one request in flight"],
        ["Crawl-delay", "what its robots.txt asks for; beyond --max-crawl-delay the host is left alone"],
        ["Retry-After", "what it asked for with a 429 or 503"],
        ["back-off", "where a host fails, not a few of its pages: twice as long each time, up to ten minutes"],
        ["answers slowly", "a host that has become slow gets longer pauses (--auto-slow)"],
      ],
      "The live view shows each host's next turn and which of these decided it; nuthatch hosts lists those that have to wait, and nuthatch hosts free <host> clears back-off and rate. The pace is kept in the data file: it holds over a crash, a restart, and two crawls at once.",
      "robots.txt is read before anything else and obeyed, with X-Robots-Tag and robots meta elements. Where it is missing (4xx) all is allowed; where it cannot be read (5xx, no answer) nothing is, as RFC 9309 says. --robots-unreachable allow is for those who have permission, --no-robots for those who own the site and say so with --i-own-this-site.",
      "Say who you are: --contact mailto:you@example.org is sent with every request, so that an owner can write to you instead of closing the door.",
      "What a site says to us: nuthatch robots <url>.",
    ],
  },
  {
    name: "output",
    summary: "what is printed where, and how to get it out",
    body: [
      "Data goes to stdout, talk to stderr: nuthatch pages --json | jq . gets nothing but data. Everything is also in the data file, which any SQLite tool opens.",
      [
        ["--json", "one JSON document with a schemaVersion, for every command"],
        ["--events", "with crawl and resume: what happens, as JSON lines, while it happens"],
        ["-o file", "write to a file; its ending is its format: .json, .jsonl, .csv or .txt, as the command can"],
        ["-O file", "the same, but a file that exists is replaced; -o refuses"],
        ["--append", "with -o: add to a .jsonl or .csv file"],
        ["-q", "say nothing but errors"],
        ["-v, -vv", "log each visit, and each link; --log-file keeps the log"],
      ],
      "On a terminal a crawl shows a live view; elsewhere, in CI and with --progress plain a line every ten seconds; with --no-progress nothing. NO_COLOR, FORCE_COLOR and --color decide about colours.",
      "nuthatch crawl -o pages.jsonl writes each page as it is fetched. nuthatch export writes pages, links, changes or decisions later, without asking the web again.",
      "Text from the web is shown with its control characters written out (\\x1b), so that no page can command your terminal. Files and pipes keep what the page says; JSON escapes it.",
    ],
  },
  {
    name: "exit-codes",
    summary: "what a script can tell from the exit code",
    body: [
      Object.entries(exitCodes).map(([name, code]) => [String(code), exitMeanings[name as keyof typeof exitCodes]]),
      "Single pages that fail never change the code unless --fail-on asks for it; 3, 4, 130 and 143 come before what it asks for.",
      "With --json the document of a crawl has the stopReason; an error is { error: { message, why, hint, exitCode } }.",
    ],
  },
  {
    name: "config",
    summary: "options in a file or in the environment",
    body: [
      "Every option of crawl can be a flag, an environment variable or a key of a config file: --max-depth 3, NUTHATCH_MAX_DEPTH=3, maxDepth: 3. The first that says something wins:",
      [
        ["flag", "what was typed"],
        ["environment", "NUTHATCH_ and the option in capitals, words joined with _"],
        ["site", "the entry of this site under sites in the config file"],
        ["defaults", "in the config file, under defaults or at its top"],
        ["preset", "--preset monitor, context, enrich, tse or broad: options to begin with"],
        ["built in", "what -hh shows as default"],
      ],
      "A file is named with -c, or is the nearest nuthatch.config.ts, .js, .json or .yaml from here up to the root of the project (.git, package.json) or your home. One that is found, and .nuthatchignore, must be yours or root's, and so must the folders from here to it: where others may write, the command refuses. -c takes any, and tells who else may write it. In YAML:",
      [
        ["db: town.db", ""],
        ["defaults: { maxDepth: 3 }", ""],
        ["sites:", ""],
        ["  - { url: https://example.org, exclude: [/calendar/**] }", ""],
      ],
      "With sites in the file, nuthatch crawl alone crawls them. Keys nobody knows are refused, with the one that may be meant. A .nuthatchignore beside it adds patterns to exclude, one a line. Secrets are not written into a file: a header may say env:NAME instead. NUTHATCH_LLM_KEY and PGPASSWORD are sent only where the environment or a flag says, not where a file does.",
      "A crawl that is resumed keeps the options it began with, unless others are given. NUTHATCH_DB or db in the file name the data file (--db).",
      "nuthatch init writes a file, nuthatch config validate checks it, nuthatch config show --origin tells where each value was said. All options: docs/reference/options.md.",
    ],
  },
];
