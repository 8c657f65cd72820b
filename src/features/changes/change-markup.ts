import { ATOM_END, atomEntry, atomHead, cleanText as clean, xmlText as escaped, stableId } from "../../engine/formats/index.ts";
import { countsOf, diffLines, headingOf, startsOf, summaryOf, warningOf } from "./change-words.ts";
import type { ChangeFeed, PageNews } from "./changes.ts";
import type { DiffedPage } from "./diff.ts";

/** Only http and https URLs become links; no `javascript:` and the like. */
const linkTo = (url: string, text: string) =>
  /^https?:\/\//i.test(url) ? `<a href="${escaped(url)}" rel="nofollow noreferrer">${escaped(text)}</a>` : escaped(text);

const titleOf = ({ url, title }: PageNews) => title ?? url;

/** Markdown for an issue or a mail. Text from the web is escaped, so that it cannot contain markup. */
export function changesAsMarkdown(feed: ChangeFeed, withDiff: boolean): string {
  const text = (words: string) =>
    clean(words)
      .replace(/[\\`*_{}[\]()#+.!|~-]/g, "\\$&")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replace(/\s+/g, " ");
  const address = (url: string) => `<${clean(url).replace(/[<>\s]/g, encodeURIComponent)}>`;
  const fence = (lines: readonly string[]) => {
    const body = lines.map((line) => clean(line).replace(/[\r\n]+/g, " ")).join("\n");
    const ticks = "`".repeat(Math.max(3, ...[...body.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    return `\n${ticks}diff\n${body}\n${ticks}\n`;
  };
  const warning = warningOf(feed);
  const page = (news: PageNews) => {
    const lines = withDiff && news.diff ? diffLines(news.diff) : [];
    return `- **${news.change}** [${text(titleOf(news))}](${address(news.url)}) ${text(summaryOf(news))}\n${lines.length > 0 ? fence(lines) : ""}`;
  };
  const links = (name: string, list: ChangeFeed["links"]["new"]) =>
    list.length === 0
      ? ""
      : `\n## ${name}\n\n${list.map(({ url, text: words }) => `- [${text(words || url)}](${address(url)})\n`).join("")}`;
  const starts = startsOf(feed).map((line) => `${text(line)}\n\n`);
  const head = `# Changes\n\n${text(headingOf(feed))}\n\n${starts.join("")}${warning ? `**${text(warning)}**\n\n` : ""}${text(countsOf(feed))}\n\n`;
  return `${head}${feed.pages.map(page).join("")}${links("New links", feed.links.new)}${links("Links that are gone", feed.links.gone)}`;
}

const diffHtml = ({ diff }: Pick<PageNews, "diff">) =>
  diff
    ? `<pre>${diffLines(diff)
        .map((line) =>
          /^[-+] /.test(line) ? `<${line[0] === "+" ? "ins" : "del"}>${escaped(line)}</${line[0] === "+" ? "ins" : "del"}>` : escaped(line),
        )
        .join("\n")}</pre>`
    : "";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}ins{background:#dfd;text-decoration:none}del{background:#fdd;text-decoration:none}";

const document = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>${body}</body></html>
`;

/** The diff of one page. */
export function diffAsHtml(diff: DiffedPage): string {
  const { url, title, from, to } = diff;
  const marks = [from, to].map(({ version, at }) => `version ${version} (${at})`).join(" → ");
  return document(`Changes of ${url}`, `<h1>${linkTo(url, title ?? url)}</h1><p>${escaped(marks)}</p>\n${diffHtml({ diff })}`);
}

/** A self-contained page that loads nothing. */
export function changesAsHtml(feed: ChangeFeed, withDiff: boolean): string {
  const warning = warningOf(feed);
  const pages = feed.pages.map(
    (news) =>
      `<li><b>${news.change}</b> ${linkTo(news.url, titleOf(news))} ${escaped(summaryOf(news))}${withDiff ? diffHtml(news) : ""}</li>`,
  );
  const links = (name: string, list: ChangeFeed["links"]["new"]) =>
    list.length === 0 ? "" : `<h2>${name}</h2><ul>${list.map(({ url, text }) => `<li>${linkTo(url, text || url)}</li>`).join("\n")}</ul>\n`;
  return document(
    "Changes",
    `<h1>Changes</h1><p>${escaped(headingOf(feed))}</p>
${startsOf(feed)
  .map((line) => `<p>${escaped(line)}</p>\n`)
  .join("")}${warning ? `<p><strong>${escaped(warning)}</strong></p>\n` : ""}<p>${escaped(countsOf(feed))}</p>
<ul>${pages.join("\n")}</ul>
${links("New links", feed.links.new)}${links("Links that are gone", feed.links.gone)}`,
  );
}

/** The fields of a feed entry without its id. */
export const feedEntry = (news: PageNews, withDiff: boolean, { text = "", place = "" }: { text?: string; place?: string } = {}) => ({
  title: `${news.change}: ${titleOf(news)}`,
  url: news.url,
  updated: news.at,
  categories: [news.change, ...news.tags],
  summary: summaryOf(news) || news.change,
  content: [
    `<p>${escaped(summaryOf(news))}</p>`,
    news.note === "" ? "" : `<p>Note: ${escaped(news.note)}</p>`,
    withDiff ? diffHtml(news) : "",
    text === "" ? "" : `<blockquote>${escaped(clean(text))}</blockquote>`,
    place === "" ? "" : `<p>${linkTo(place, "This change in Nuthatch")}</p>`,
  ].join(""),
});

export interface FeedExtras {
  /** Texts for pages without a diff. */
  readonly texts: ReadonlyMap<number, string>;
  /** URL where a change can be viewed. */
  readonly viewUrlOf: (news: PageNews) => string;
}

/** An Atom feed, one entry for each change. */
export function changesAsAtom(feed: ChangeFeed, withDiff: boolean, extras?: FeedExtras): string {
  const { sites, to, pages } = feed;
  const runs = new Map([[to.id, to.uid]]);
  const entries = pages.map((news) => {
    const id = stableId(sites[0]?.uid ?? "", news.pageId, runs.get(news.runId) ?? news.runId, news.change);
    const more = { text: extras?.texts.get(news.pageId) ?? "", place: extras?.viewUrlOf(news) ?? "" };
    return atomEntry({ id, ...feedEntry(news, withDiff, more) });
  });
  const head = atomHead({
    id: stableId("feed", ...sites.map(({ uid }) => uid)),
    title: `Changes on ${sites.map(({ url }) => url).join(", ")}`,
    subtitle: [...startsOf(feed), warningOf(feed), countsOf(feed)].filter(Boolean).join(" "),
    updated: lastUpdate(feed),
  });
  return head + entries.join("") + ATOM_END;
}

const lastUpdate = ({ pages, to }: ChangeFeed) => pages.reduce((latest, { at }) => (at > latest ? at : latest), to.at);
