// Writes docs/reference/ from the program itself; with --check it only says which pages are not up to date.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { configJsonSchema, fields, presets } from "../dist/src/engine/config/index.js";
import { reasons } from "../dist/src/features/explain/reasons.js";
import { commands } from "../dist/src/interfaces/cli/commands.js";
import { environment } from "../dist/src/interfaces/cli/environment.js";
import { exitCodes, exitMeanings } from "../dist/src/interfaces/cli/exit-codes.js";
import { factsOf, GLOBAL_GROUP, OWN_GROUP } from "../dist/src/interfaces/cli/facts.js";
import { globalFlags } from "../dist/src/interfaces/cli/globals.js";
import { topics } from "../dist/src/interfaces/cli/topics.js";
import { problems } from "../dist/src/interfaces/rest/index.js";
import { openSqlite } from "../dist/src/store/index.js";

const folder = fileURLToPath(new URL("../docs/reference/", import.meta.url));
const cell = (text) => text.replaceAll(/[|*]/g, "\\$&").replaceAll("<", "&lt;");
const code = (text) => (text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``);
const table = (head, rows) => [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...rows.map((row) => `| ${row.join(" | ")} |`)];
const flagTable = (flags) =>
  flags.length === 0
    ? []
    : table(
        ["flag", "meaning"],
        flags.map(({ flags: term, about }) => [code(term), cell(about)]),
      );
const page = (title, ...parts) =>
  `# ${title}\n\n<!-- Written by \`npm run docs\`: change the program, not this page. -->\n\n${parts.flat().join("\n")}\n`;

async function cliPage() {
  const shell = { stdout: process.stdout, stderr: process.stderr, stdin: process.stdin, env: {}, cwd: process.cwd() };
  const all = [];
  for (const entry of commands) all.push({ entry, facts: factsOf((await entry.load()).build(shell, () => undefined)) });
  const crawl = all.find(({ entry }) => entry.name === "crawl").facts;
  const groups = [...new Set(commands.map(({ group }) => group))];
  const overview = groups.flatMap((group) => [
    `**${group}:** ${commands
      .filter((entry) => entry.group === group)
      .map(({ name }) => `[\`${name}\`](#${name})`)
      .join(" · ")}`,
    "",
  ]);
  return page(
    "Commands",
    "`nuthatch <command> -h` shows the usual flags of a command, `-hh` all of them; `nuthatch help` lists the commands and these topics:",
    `${topics.map(({ name, summary }) => `\`${name}\` (${summary})`).join(", ")}.`,
    "",
    overview,
    all.flatMap(({ entry, facts }) => [`## ${entry.name}`, "", ...commandPart(facts, crawl)]),
    "## help",
    "",
    "```\nnuthatch help [command|topic] [--all]\n```",
    "",
    "What every command does, or all about one command or topic. `--all` shows every flag, as `-hh` does.",
    "",
    "## Flags of every command",
    "",
    flagTable(globalFlags.map(({ flags, about }) => ({ flags, about }))),
    "",
    "`nuthatch --version` prints the version; with `--json` also those of Node and SQLite, for bug reports.",
  );
}

/** A command's own flags whole; groups that it shares with crawl are named there once. */
function commandPart(facts, crawl) {
  const inGroup = (command, group) => command.flags.filter((flag) => flag.group === group);
  const same = (group) =>
    facts !== crawl &&
    JSON.stringify(inGroup(facts, group).map(({ flags }) => flags)) === JSON.stringify(inGroup(crawl, group).map(({ flags }) => flags));
  const own = [...new Set(facts.flags.map(({ group }) => group))].filter((group) => group !== GLOBAL_GROUP);
  const shared = own.filter((group) => group !== OWN_GROUP && same(group));
  const isTse = facts.name === "crawler";
  return [
    `\`\`\`\n${facts.usage}\n\`\`\``,
    "",
    facts.about,
    "",
    ...(facts.args.length > 0 && !isTse
      ? [
          ...table(
            ["argument", "meaning"],
            facts.args.map(({ name, about }) => [code(name), cell(about)]),
          ),
          "",
        ]
      : []),
    ...own
      .filter((group) => !shared.includes(group))
      .flatMap((group) => [
        ...(group === OWN_GROUP ? [] : [`**${group}**`, ""]),
        ...flagTable(inGroup(facts, group).filter(({ names }) => !names.includes("--help"))),
        "",
      ]),
    ...(shared.length > 0 ? [`It also takes these groups of flags of [\`crawl\`](#crawl): ${shared.join(", ")}.`, ""] : []),
    ...facts.verbs.flatMap((verb) => [`### ${facts.name} ${verb.name}`, "", ...commandPart(verb, crawl)]),
    ...(facts.after.length > 0 ? ["```", ...facts.after, "```", ""] : []),
  ];
}

function optionsPage() {
  const groups = [...new Set(fields.map(({ group }) => group))];
  const written = { rate: "30/m", time: "10s", size: "10MB" };
  const rows = (group) =>
    fields
      .filter((field) => field.group === group)
      .flatMap((field) => [
        [
          code(field.key),
          field.kind === "object" ? "" : code(field.flag),
          code(field.env),
          code(field.fallback),
          cell(field.help) + marks(field),
        ],
        ...partsOf(field),
      ]);
  return page(
    "Options",
    "Every option is a flag, a variable of the environment and a key of the config file. Flag beats environment beats the site's entry in the config",
    "file beats its defaults beats the preset beats what is built in.",
    "",
    `Times are written \`500ms\`, \`${written.time}\`, \`5m\`, \`2h\` or \`1d\`, sizes \`500KB\`, \`${written.size}\` or \`1GB\`, rates \`1/s\`, \`${written.rate}\` or \`none\`; \`none\` lifts a limit. Lists are words with commas on the`,
    "command line and in the environment, and lists in a file; patterns are given one by one, with the flag again for each.",
    "",
    groups.flatMap((group) => [`## ${group}`, "", ...table(["key", "flag", "environment", "default", "meaning"], rows(group)), ""]),
    "## Presets",
    "",
    "`--preset` names options to begin with; whatever is said elsewhere beats them.",
    "",
    table(
      ["preset", "for", "says"],
      Object.entries(presets).map(([name, { about, options }]) => [
        code(name),
        cell(about),
        Object.entries(options)
          .map(([key, value]) => code(`${key}: ${JSON.stringify(value)}`))
          .join(" "),
      ]),
    ),
    "",
    "## The config file itself",
    "",
    table(["key", "meaning"], fileKeys()),
  );
}

/** What stands in a config file besides options. */
function fileKeys() {
  const { properties } = configJsonSchema();
  const own = ({ properties: all }, prefix) =>
    Object.entries(all)
      .filter(([key]) => !fields.some((field) => field.key === key))
      .map(([key, { description = "" }]) => [code(prefix + key), cell(description)]);
  return [...own({ properties }, ""), ...own(properties.sites.items, "sites[].")];
}

/** What a field says of itself besides its help. */
function marks({ schema }) {
  const meta = schema.meta?.() ?? {};
  return meta.secret ? " Secret: never stored or shown; in a file its text draws from the environment as `env:NAME`." : "";
}

/** The keys within an option that is an object. */
function partsOf({ key, kind, schema }) {
  if (kind !== "object") return [];
  let inner = schema;
  while (inner.unwrap) inner = inner.unwrap();
  return Object.entries(inner.shape).map(([name, part]) => {
    const fallback = part.def.defaultValue;
    const shown = typeof fallback === "object" ? JSON.stringify(fallback) : String(fallback ?? "");
    return [code(`${key}.${name}`), "", "", code(shown), cell(part.description ?? "")];
  });
}

const exitCodesPage = () =>
  page(
    "Exit codes",
    table(
      ["code", "name", "when"],
      Object.entries(exitCodes).map(([name, number]) => [
        number,
        name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        cell(exitMeanings[name]),
      ]),
    ),
    "",
    "Single pages that fail never change the exit code unless `--fail-on` asks for it; 3, 4, 130 and 143 come before what it asks for.",
  );

const reasonsPage = () =>
  page(
    "Reasons",
    "Why a URL met its fate. `nuthatch explain <url>` and the `reason` column of `v_decisions` use these words.",
    "",
    table(
      ["reason", "meaning"],
      [...Object.entries(reasons), ["plugin:<name>", "The plugin of that name skips it, for the reason beside it."]].map(
        ([reason, sentence]) => [code(reason), cell(sentence)],
      ),
    ),
  );

const problemsPage = () =>
  page(
    "Problems",
    "What the API says when it cannot do what was asked (RFC 9457, `application/problem+json`). `type` is `urn:nuthatch:problem:` and one of these names, which never change;",
    "`detail` says what it was this time, `errors` points at each fault of a request, and `instance` is the id of the request.",
    "",
    table(
      ["name", "status", "meaning"],
      Object.entries(problems).map(([name, [status, title]]) => [code(name), status, cell(`${title}.`)]),
    ),
  );

const environmentPage = () =>
  page(
    "Environment",
    table(
      ["variable", "meaning"],
      environment.map(({ name, about }) => [code(name), cell(about)]),
    ),
    "",
    "Every option has a variable too; its flag comes first.",
    "",
    table(
      ["variable", "option"],
      fields.map(({ env, key, help }) => [code(env), `${code(key)}: ${cell(help)}`]),
    ),
  );

const relations = {
  v_pages: "One row per page: its address, status, depth, change, title and where the title came from, words, links, times.",
  v_changes: "One row per page and run in which it was new, changed, gone, unlinked or unknown.",
  v_links: "One row per link of a page: those that keywords apply to, with their score, and all with `--save raw,links`.",
  v_scores:
    "One row per site and link that keywords apply to: its score under the site's weights, the keywords by their worth, and a model's or plugin's comment.",
  content:
    "One row per page as a metadata service keeps them: title, description, image, author, date, language, topics, how its text begins. `UPDATE content SET metadata_scraped_at = NULL` marks pages to be done again.",
  site_legacy: "Sites as the first crawler kept them: one crawl_time each, that of the latest run.",
  page_legacy: "Pages in the same shape, without those that are gone.",
  link_legacy: "High-value links in the same shape: one row per page and link, keywords between semicolons.",
  v_decisions: "One row per URL heard of in a run: verdict, reason, rule, and who named it.",
  v_backlog: "One row per URL that still waits.",
  v_runs: "One row per run.",
  meta: "What the file says of itself.",
  site: "What was crawled, by its seed.",
  run: "A crawl, or a look at single pages for a context (`kind`), with its options, counters and how it ended.",
  run_site: "Which sites a run was for.",
  run_seed: "The addresses a run began with, in their order.",
  run_home: "What counts as a seed of a run because a seed moved there, or a plugin named it.",
  removed_change: "What runs said of pages that were pruned since: `changes` and feeds go on telling it.",
  met_name:
    "Whether a name that a person typed led to a public or a private address when it was met first. What was public opens nothing later.",
  host: "Whose turn is when: the pace of each host, and why.",
  robots: "The robots.txt of each origin, as it was read.",
  page: "A page as it is known today.",
  page_version: "What a page said at one time. A new row only when it changed.",
  body: "Bodies, once per content, compressed.",
  page_metadata: "Of the current version of a page: which extractor made its metadata, when, and what the page is (`verdict`).",
  page_evidence: "What else was offered for each field, how the main text begins, and hashes of its blocks.",
  context:
    "Packs of context as they were made last: the pages as they were read, with their versions, one row for each address and way of choosing links.",
  exchange: "What went over the wire in runs that save archives, one row a request; bodies are in `body`.",
  rendered_version: "Versions that are pages as a browser showed them, with its engine and the picture it took, whose bytes are in `body`.",
  host_engine: "Which engine gets real content from a host, and whether plain requests are turned away there.",
  template_gain: "Of the pages of a template that a browser was shown, how many said more there.",
  page_text: "The words of pages and where they stand (FTS5 without the text); `rowid` is the page.",
  page_search: "Which version of a page `page_text` knows.",
  page_count: "How many pages of a site are stored, and how many of those are gone; kept by triggers.",
  link_score: "What each link is worth under the weights of its site, kept up to date.",
  run_samples: "How a run went over time: pages, queue, bytes and answers, every few seconds.",
  site_card: "What people say of a site: its name, its tags, its options.",
  page_card: "The same of a page: a note, tags, whether it is muted.",
  link_card: "The same of a link: pinned, muted, a note, a score of their own.",
  host_card: "What people say of a host: a slower pace, or a pause.",
  ignored_part: "Parts of pages that nobody wants to hear of: they are left out where versions are compared.",
  job: "What the server does that takes longer than a request.",
  api_key: "Who may ask the server; of a key only its hash is kept.",
  replayed: "What was answered to requests that name themselves (Idempotency-Key), for a day.",
  boilerplate: "Blocks of text that repeat on the pages of a site, as hashes.",
  source_memory: "How far each source of metadata is trusted on the host of a site.",
  link: "Addresses that links lead to: one row each, whichever pages have it.",
  link_source: "Which page has which link, in which words, since when, and until when.",
  word: "Keywords, once each.",
  keyword: "Which site has which keywords, and what they weigh there.",
  link_keyword: "How far a keyword applies to a link on a site: the greatest of what its pages say, or what a model or plugin said.",
  hint: "How often a sitemap or feed that said a page had changed was right.",
  noise: "What changes by itself on pages of a template.",
  answer: "What a model answered about a link, by what it was asked; an empty text where it said nothing that can be used.",
  decision: "The ledger and the backlog: one row per run and URL heard of.",
  change: "What was new, changed, gone, unlinked or unknown in a run.",
};

async function schemaPage() {
  const scratch = mkdtempSync(join(tmpdir(), "nuthatch-docs-"));
  const path = join(scratch, "empty.db");
  try {
    await openSqlite(path).close();
    const db = new DatabaseSync(path);
    const found = db
      .prepare(
        "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'page_text\\_%' ESCAPE '\\' ORDER BY type DESC, rowid",
      )
      .all();
    const { user_version: version } = db.prepare("PRAGMA user_version").get();
    const part = ({ name }) => [
      `### ${name}`,
      "",
      ...(relations[name] ? [relations[name], ""] : []),
      ...table(
        ["column", "type"],
        db
          .prepare(`PRAGMA table_info(${name})`)
          .all()
          .map((column) => [
            code(column.name),
            [column.type.toLowerCase(), column.pk ? "key" : "", column.notnull ? "never null" : ""].filter(Boolean).join(", "),
          ]),
      ),
      "",
    ];
    const parts = (type) => found.filter((each) => each.type === type).flatMap(part);
    const text = page(
      "Schema of the data file",
      `Version ${version} (\`PRAGMA user_version\`). Views are for reading: they stay as they are where tables may change. [The data file](../data-file.md) tells more.`,
      "",
      "## Views",
      "",
      parts("view"),
      "## Tables",
      "",
      "Times are milliseconds since 1970; hashes are 64-bit integers.",
      "",
      parts("table"),
    );
    db.close();
    return text;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Other pages of this folder are written by scripts of their own. */
const indexPage = () =>
  page(
    "Reference",
    table(
      ["page", "what is in it"],
      [
        ["[Commands](cli.md)", "every command with its arguments and flags"],
        ["[Options](options.md)", "every option: key, flag, variable, default, meaning; presets; the config file"],
        ["[Environment](environment.md)", "every variable that is read"],
        ["[Exit codes](exit-codes.md)", "what a script can tell from the exit code"],
        ["[Reasons](reasons.md)", "why a URL was visited or not, in the words of `explain`"],
        ["[Problems](problems.md)", "what the API says when it cannot do what was asked"],
        ["[Schema](schema.md)", "views and tables of the data file"],
        ["[Library](api.md)", "what can be imported, with its types"],
      ],
    ),
  );

const pages = {
  "README.md": indexPage(),
  "cli.md": await cliPage(),
  "options.md": optionsPage(),
  "exit-codes.md": exitCodesPage(),
  "reasons.md": reasonsPage(),
  "problems.md": problemsPage(),
  "environment.md": environmentPage(),
  "schema.md": await schemaPage(),
};

const tidy = (text) => `${text.replaceAll(/\n{3,}/g, "\n\n").trimEnd()}\n`;
const stale = Object.entries(pages).filter(
  ([name, text]) => !existsSync(folder + name) || readFileSync(folder + name, "utf8") !== tidy(text),
);
if (process.argv.includes("--check")) {
  for (const [name] of stale) console.error(`docs/reference/${name} is not up to date: npm run docs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of stale) {
    writeFileSync(folder + name, tidy(text));
    console.log(`docs/reference/${name}`);
  }
}
