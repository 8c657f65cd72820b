/** Changes as an Atom feed (RFC 4287), newest first. Ids do not change when the feed is written again. */
import { createHash } from "node:crypto";
import { xmlText } from "./xml.ts";

export interface FeedEntry {
  readonly url: string;
  readonly title: string;
  readonly change: string;
  readonly at: string;
  readonly summary: string;
  /** Tells this change of the page from its others. */
  readonly version: string;
}

export interface FeedHead {
  readonly title: string;
  readonly site: string;
  readonly updated: string;
}

export async function* atomFeed(head: FeedHead, entries: AsyncIterable<FeedEntry>): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n';
  yield `<id>${urn(head.site)}</id>\n<title>${xmlText(head.title)}</title>\n<updated>${head.updated}</updated>\n`;
  yield `<link rel="alternate" href="${xmlText(head.site)}"/>\n<author><name>nuthatch</name></author>\n<generator>nuthatch</generator>\n`;
  for await (const entry of entries) yield entryText(entry);
  yield "</feed>\n";
}

function entryText({ url, title, change, at, summary, version }: FeedEntry): string {
  const head = `<id>${urn(`${url} ${change} ${version}`)}</id>\n<title>${xmlText(title || url)}</title>\n<updated>${at}</updated>\n`;
  const body = `<link rel="alternate" href="${xmlText(url)}"/>\n<category term="${xmlText(change)}"/>\n<summary>${xmlText(summary)}</summary>\n`;
  return `<entry>\n${head}${body}</entry>\n`;
}

/** A name-based UUID (RFC 9562, version 8), so that the same change is the same entry in every reader. */
function urn(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
