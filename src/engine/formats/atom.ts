/** Writes an Atom feed (RFC 4287) part by part. Ids stay the same when the feed is written again. */
import { hash } from "node:crypto";
import { xmlText } from "./xml.ts";

export interface FeedHead {
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** ISO 8601. */
  readonly updated: string;
}

export interface FeedEntry {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly updated: string;
  readonly categories: readonly string[];
  readonly summary: string;
  /** HTML written by us. */
  readonly content: string;
}

export function atomHead({ id, title, subtitle, updated }: FeedHead): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${id}</id>
<title>${xmlText(title)}</title><updated>${updated}</updated><author><name>nuthatch</name></author><generator>nuthatch</generator>
${subtitle === undefined ? "" : `<subtitle>${xmlText(subtitle)}</subtitle>\n`}`;
}

export function atomEntry({ id, title, url, updated, categories, summary, content }: FeedEntry): string {
  const link = /^https?:\/\//i.test(url) ? `<link rel="alternate" href="${xmlText(url)}"/>` : "";
  return `<entry><id>${id}</id><title>${xmlText(title)}</title><updated>${updated}</updated>${link}${categories.map((term) => `<category term="${xmlText(term)}"/>`).join("")}
<summary>${xmlText(summary)}</summary><content type="html">${xmlText(content)}</content></entry>
`;
}

export const ATOM_END = "</feed>\n";

/** A deterministic id: the same parts always give the same UUID (RFC 9562 §5.8). */
export function stableId(...parts: readonly (string | number)[]): string {
  const digits = hash("sha256", parts.join(" "), "hex");
  return `urn:uuid:${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
