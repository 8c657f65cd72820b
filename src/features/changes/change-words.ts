import { REAPPEARED } from "../../core/records.ts";
import type { ChangeFeed, PageNews } from "./changes.ts";
import type { PageDiff } from "./page-diff.ts";

const pluralize = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** What happened to a page, in one line. */
export function summaryOf(news: PageNews): string {
  const { alsoOn } = news;
  const more = alsoOn.length > 0 ? `, the same on ${pluralize(alsoOn.length, "more page", "more pages")}` : "";
  return changeText(news) + more;
}

function changeText({ change, words, detail, diff }: PageNews): string {
  if (detail.startsWith("moved to ")) return detail;
  if (!diff) return change === "new" ? pluralize(words, "word", "words") : detail;
  const { linksAdded, linksRemoved, fields, hasText } = diff;
  const parts = [
    ...(detail === REAPPEARED ? [detail] : []),
    ...(words > 0 ? [`${pluralize(words, "word", "words")} changed`] : []),
    ...(linksAdded.length > 0 ? [`${pluralize(linksAdded.length, "link", "links")} added`] : []),
    ...(linksRemoved.length > 0 ? [`${pluralize(linksRemoved.length, "link", "links")} removed`] : []),
    ...fields.map(({ field }) => `${field} changed`),
    ...(hasText ? [] : ["its text is not stored or cannot be read"]),
  ];
  return parts.join(", ") || detail;
}

const MAX_SHOWN_SITES = 3;

/** The sites, and the run that they are compared with. */
export function headingOf({ sites, from, to }: ChangeFeed): string {
  const shown = sites.slice(0, MAX_SHOWN_SITES).map(({ url }) => url);
  const names = [...shown, ...(sites.length > shown.length ? [`and ${sites.length - shown.length} more`] : [])].join(", ");
  if (from?.id === to.id) return `${names}: nothing was looked at since run ${to.id} (${to.at})`;
  return from ? `${names}: run ${to.id} (${to.at}) against run ${from.id} (${from.at})` : `${names}: run ${to.id} (${to.at}), the first`;
}

/** Where the comparison starts for sites that were first crawled in the range. */
export function startsOf({ firstCrawls, to }: ChangeFeed): string[] {
  const shown = firstCrawls.slice(0, MAX_SHOWN_SITES).map(({ url, run, pages }) => {
    const told = run.id === to.id ? "Later runs are compared with it." : "Everything is compared with that.";
    return `${url} was first crawled in run ${run.id} (${run.at}): ${pluralize(pages, "page", "pages")} then. ${told}`;
  });
  const more = firstCrawls.length - shown.length;
  return more > 0 ? [...shown, `${pluralize(more, "more site was", "more sites were")} first crawled in this time.`] : shown;
}

/** A warning about an incomplete comparison. */
export function warningOf({ isComplete, stopReason, from, to, counts }: ChangeFeed): string | undefined {
  if (isComplete || from?.id === to.id) return undefined;
  if (stopReason === "finished") return `Run ${to.id} looked only at pages that were due: of the others nothing is known.`;
  const why = stopReason === null ? "has not ended" : `did not see everything (${stopReason})`;
  if (counts.unknown === 0) return `Run ${to.id} ${why}: what it did not reach is not listed.`;
  return `Run ${to.id} ${why}: ${pluralize(counts.unknown, "known page was", "known pages were")} not reached. Unknown, not gone.`;
}

export function countsOf({ counts }: ChangeFeed): string {
  const parts = (["new", "changed", "gone", "unlinked", "unknown"] as const).map((change) => `${change} ${counts[change]}`);
  return parts.join(" · ");
}

/** The lines of a unified diff: removed, added and context. */
export function diffLines({ text, fields, linksAdded, linksRemoved, hasText, masked }: PageDiff): string[] {
  const link = ({ url, text: words }: { url: string; text: string }) => (words === "" ? url : `${url} “${words}”`);
  return [
    ...fields.map(({ field, before, now }) => `@@ ${field}: ${before ?? "(none)"} → ${now ?? "(none)"}`),
    ...text.flatMap(({ before, removed, added, after }) => [
      "@@ text",
      ...(before === null ? [] : [`  ${before}`]),
      ...removed.map((block) => `- ${block}`),
      ...added.map((block) => `+ ${block}`),
      ...(after === null ? [] : [`  ${after}`]),
    ]),
    ...(hasText ? [] : ["@@ the bodies are not stored or cannot be read, so that the text cannot be compared"]),
    ...(linksRemoved.length + linksAdded.length > 0 ? ["@@ links"] : []),
    ...linksRemoved.map((each) => `- ${link(each)}`),
    ...linksAdded.map((each) => `+ ${link(each)}`),
    ...(masked > 0
      ? [`@@ ${pluralize(masked, "hidden passage", "hidden passages")}: nuthatch diff --all shows ${masked === 1 ? "it" : "them"}`]
      : []),
  ];
}
