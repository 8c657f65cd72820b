import { hash } from "node:crypto";
import { caveatOf, countsOf, diffLines, headingOf, summaryOf } from "./change-words.ts";
import type { ChangeFeed, PageNews } from "./changes.ts";

/** What XML 1.0 (§2.2) has no letters for, and what turns text round or hides in it. The joiners of Persian, Indic and emoji stay. */
const UNSAFE = /(?!\t|\n|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

const clean = (text: string) => text.replace(UNSAFE, "\ufffd");

export const escaped = (text: string): string =>
  clean(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");

/** No address but one of the web becomes a link. */
const linkTo = (url: string, text: string) =>
  /^https?:\/\//i.test(url) ? `<a href="${escaped(url)}" rel="nofollow noreferrer">${escaped(text)}</a>` : escaped(text);

const namesOf = ({ url, title }: PageNews) => title ?? url;

/** Markdown for an issue or a mail: whatever came from the web stands as it is, and commands nothing. */
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
  const caveat = caveatOf(feed);
  const page = (news: PageNews) => {
    const lines = withDiff && news.diff ? diffLines(news.diff) : [];
    return `- **${news.change}** [${text(namesOf(news))}](${address(news.url)}) ${text(summaryOf(news))}\n${lines.length > 0 ? fence(lines) : ""}`;
  };
  const links = (name: string, list: ChangeFeed["links"]["new"]) =>
    list.length === 0
      ? ""
      : `\n## ${name}\n\n${list.map(({ url, text: words }) => `- [${text(words || url)}](${address(url)})\n`).join("")}`;
  const head = `# Changes\n\n${text(headingOf(feed))}\n\n${caveat ? `**${text(caveat)}**\n\n` : ""}${text(countsOf(feed))}\n\n`;
  return `${head}${feed.pages.map(page).join("")}${links("New links", feed.links.new)}${links("Links that are gone", feed.links.gone)}`;
}

const diffHtml = (news: PageNews) =>
  news.diff
    ? `<pre>${diffLines(news.diff)
        .map((line) =>
          /^[-+] /.test(line) ? `<${line[0] === "+" ? "ins" : "del"}>${escaped(line)}</${line[0] === "+" ? "ins" : "del"}>` : escaped(line),
        )
        .join("\n")}</pre>`
    : "";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}ins{background:#dfd;text-decoration:none}del{background:#fdd;text-decoration:none}";

/** One page that needs nothing else and loads nothing. */
export function changesAsHtml(feed: ChangeFeed, withDiff: boolean): string {
  const caveat = caveatOf(feed);
  const pages = feed.pages.map(
    (news) =>
      `<li><b>${news.change}</b> ${linkTo(news.url, namesOf(news))} ${escaped(summaryOf(news))}${withDiff ? diffHtml(news) : ""}</li>`,
  );
  const links = (name: string, list: ChangeFeed["links"]["new"]) =>
    list.length === 0 ? "" : `<h2>${name}</h2><ul>${list.map(({ url, text }) => `<li>${linkTo(url, text || url)}</li>`).join("\n")}</ul>\n`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Changes</title><style>${STYLE}</style></head>
<body><h1>Changes</h1><p>${escaped(headingOf(feed))}</p>
${caveat ? `<p><strong>${escaped(caveat)}</strong></p>\n` : ""}<p>${escaped(countsOf(feed))}</p>
<ul>${pages.join("\n")}</ul>
${links("New links", feed.links.new)}${links("Links that are gone", feed.links.gone)}</body></html>
`;
}

/** The same name for the same thing each time it is made (RFC 9562 §5.8). */
function stableId(...parts: readonly (string | number)[]): string {
  const digits = hash("sha256", parts.join(" "), "hex");
  return `urn:uuid:${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** An Atom feed (RFC 4287), one entry for each change. */
export function changesAsAtom(feed: ChangeFeed, withDiff: boolean): string {
  const { sites, to, pages } = feed;
  const name = sites.map(({ url }) => url).join(", ");
  const runs = new Map([[to.id, to.uid]]);
  const entries = pages.map((news) => {
    const id = stableId(sites[0]?.uid ?? "", news.pageId, runs.get(news.runId) ?? news.runId, news.change);
    const link = /^https?:\/\//i.test(news.url) ? `<link href="${escaped(news.url)}"/>` : "";
    const content = `<p>${escaped(summaryOf(news))}</p>${withDiff ? diffHtml(news) : ""}`;
    return `<entry><id>${id}</id><title>${escaped(`${news.change}: ${namesOf(news)}`)}</title><updated>${news.at}</updated>${link}
<summary>${escaped(summaryOf(news) || news.change)}</summary><content type="html">${escaped(content)}</content></entry>`;
  });
  const caveat = caveatOf(feed);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${stableId("feed", ...sites.map(({ uid }) => uid))}</id>
<title>${escaped(`Changes on ${name}`)}</title><updated>${newest(feed)}</updated><author><name>nuthatch</name></author>
<subtitle>${escaped([caveat, countsOf(feed)].filter(Boolean).join(" "))}</subtitle>
${entries.join("\n")}
</feed>
`;
}

const newest = ({ pages, to }: ChangeFeed) => pages.reduce((latest, { at }) => (at > latest ? at : latest), to.at);
