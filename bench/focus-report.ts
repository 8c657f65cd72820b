import { type Harvest, sparkline } from "../src/features/focus/harvest.ts";
import { type ReplayOrder, replayOrders } from "../src/features/focus/replay.ts";

/** One site, or one topic of a handbook: the harvest of each order, for each repetition. */
export type Sample = Readonly<Record<ReplayOrder, readonly Harvest[]>>;

export interface SiteResult {
  readonly name: string;
  readonly samples: readonly Sample[];
}

interface Measured {
  readonly value: number;
  readonly error: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const of = (sample: Sample, order: ReplayOrder, read: (harvest: Harvest) => number) => mean(sample[order].map(read));

/** A measure over all samples with its standard error, by the jackknife (leaving out one sample at a time). */
function jackknife(samples: readonly Sample[], measure: (some: readonly Sample[]) => number): Measured {
  const others = samples.map((_, left) => measure(samples.filter((_, at) => at !== left)));
  const middle = mean(others);
  const spread = others.reduce((sum, other) => sum + (other - middle) ** 2, 0);
  return { value: measure(samples), error: Math.sqrt((spread * (samples.length - 1)) / samples.length) };
}

const to90 = (samples: readonly Sample[], order: ReplayOrder) =>
  mean(samples.map((sample) => of(sample, order, (each) => each.requestsTo90)));

/** Requests needed by one order, as a share of those needed by another. */
const share = ({ samples }: SiteResult, order: ReplayOrder, other: ReplayOrder) =>
  jackknife(samples, (some) => to90(some, order) / to90(some, other));

const percent = ({ value, error }: Measured) => `${(100 * value).toFixed(0)} ± ${(100 * error).toFixed(0)} %`;
const number = ({ value, error }: Measured) => `${value.toFixed(0)} ± ${error.toFixed(0)}`;

function rowOf(result: SiteResult, order: ReplayOrder): string[] {
  const { samples } = result;
  const auc = jackknife(samples, (some) => mean(some.map((sample) => of(sample, order, (each) => each.recallAuc))));
  const harvest = mean(samples.map((sample) => of(sample, order, (each) => each.harvestRateAt90)));
  const curve = samples[0]![order][0]!.curve.map((_, at) => mean(samples.map((sample) => of(sample, order, (each) => each.curve[at]!))));
  return [
    order,
    number(jackknife(samples, (some) => to90(some, order))),
    percent(share(result, order, "breadth")),
    percent(share(result, order, "url words")),
    `${(100 * harvest).toFixed(0)} %`,
    `${auc.value.toFixed(3)} ± ${auc.error.toFixed(3)}`,
    sparkline(curve),
  ];
}

const HEAD = ["order", "requests to 90 %", "of breadth-first", "of URL words", "harvest", "recall AUC", "recall"];

export function inLines(result: SiteResult): string {
  const rows = [HEAD, ...replayOrders.map((order) => rowOf(result, order))];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return `\n${sizeOf(result)}\n${rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")).join("\n")}`;
}

function sizeOf({ name, samples }: SiteResult): string {
  const pages = mean(samples.map((sample) => of(sample, "breadth", (each) => each.requests)));
  const targets = mean(samples.map((sample) => of(sample, "breadth", (each) => each.targets)));
  return `${name}: ${pages.toFixed(0)} pages, ${targets.toFixed(0)} targets, ${samples.length} samples`;
}

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");

/** The targets of the project, site by site; the last row is the mean. */
function barsOf(results: readonly SiteResult[]): string {
  const shares = results.map((result) => [share(result, "nuthatch", "breadth"), share(result, "nuthatch", "url words")] as const);
  const rows = results.map(({ name }, at) => [name, ...shares[at]!.map(percent)]);
  const overall = [0, 1].map((which) => {
    const error = Math.sqrt(shares.reduce((sum, each) => sum + each[which]!.error ** 2, 0)) / shares.length;
    return percent({ value: mean(shares.map((each) => each[which]!.value)), error });
  });
  return markdownTable(
    ["site", "of breadth-first (bar: 50 %)", "of URL words (bar: 75 %)"],
    [...rows, ["**mean of the sites**", ...overall]],
  );
}

export const inMarkdown = (results: readonly SiteResult[]): string => `# Focus: how soon a crawl comes to what matters

Made by \`npm run bench -- focus --write\`. How many requests does it take to meet nine tenths of the targets of a site? The sites are replayed
offline under each order: the places in the queue, the queue and its selector, and the learner are those of a crawl; only the network is
missing. \`nuthatch focus eval\` does the same with a crawl of yours.

${barsOf(results)}

Numbers are requests to 90 % of the targets, ours divided by the other order's; ± is one standard error over seeds or topics.

**The orders.** *breadth* and *depth* first; *random*; *url words*: URLs that contain the keyword first, then as heard; *shark*: shark-search
with our scorer, strictly the best first; *nuthatch*: what a crawl with keywords does; *oracle*: knows where the targets are.

**The sites.** Made-up towns of about a thousand pages, 20 seeds each (\`bench/focus-sites.ts\`). Targets are planted by topic; a page about the topic
need not name it, and others name it in passing. Three handbooks as Debian ships them (python3.11-doc, sqlite3-doc, git-doc), twelve topics each, taken from a longer
list because 5 to 60 pages are about them. There a page is a target if its title has the word, or if it says it ten times and once in a hundred words, not counting its links; that rule
counts words and knows nothing of our scorers. (At first links counted, and every alphabetical index was about everything.) The constants of the learner were set with other seeds of the made-up towns and
with the handbooks of Python and SQLite in view; Git's was only looked at when all was done. To repeat it:

    apt-get download python3.11-doc sqlite3-doc git-doc && for deb in *.deb; do dpkg-deb -x $deb docs-of-debian; done
    NUTHATCH_DOCS=docs-of-debian/usr/share/doc npm run bench -- focus

**Where we lose.** Where section names and URLs say everything, URL words are hard to beat: even the oracle saves little, and our share for exploring costs some. Where targets are scattered without
a pattern and half of the links say nothing, no order gains much. In the handbooks plain shark-search does as well: each page has a URL of its own, so there is little to learn of kinds, and the learner pays for itself only on
sites made by programs. There the first half of the targets comes very early, and the last tenth late: pages that no link announces. In Git's, where one page names all others, that keeps us
from both bars; Python's and SQLite's are met by less than one standard error.

${results
  .map(
    (result) =>
      `## ${sizeOf(result)}\n\n${markdownTable(
        HEAD,
        replayOrders.map((order) => rowOf(result, order)),
      )}`,
  )
  .join("\n\n")}
`;
