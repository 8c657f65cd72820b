/** The index of an archive: one line a record, sorted, as replay tools read it. */
import type { RecordEntry } from "./warc.ts";

/** Where a record is. */
export interface RecordPlace {
  readonly offset: number;
  readonly length: number;
  readonly filename: string;
}

export function cdxjLine({ url, at, mime, status, digest }: RecordEntry, { length, offset, filename }: RecordPlace): string {
  // Indexes name digests without their kind, as they did when there was but one.
  const facts = {
    url,
    mime,
    status: String(status),
    digest: digest?.replace("sha1:", ""),
    length: String(length),
    offset: String(offset),
    filename,
  };
  return `${surt(url)} ${at.replace(/\D/g, "").slice(0, 14)} ${JSON.stringify(facts)}`;
}

/** A URL with its host turned round, so that pages of one site stand together: `org,example)/docs?a=1`. */
export function surt(url: string): string {
  const { hostname, port, pathname, search } = new URL(url.toLowerCase());
  const name = hostname.replace(/^www\d*\./, "");
  const turned = /^[\d.]+$|^\[/.test(name) ? name : name.split(".").reverse().join(",");
  const query = search === "" ? "" : `?${search.slice(1).split("&").sort().join("&")}`;
  return `${turned}${port === "" ? "" : `:${port}`})${pathname}${query}`;
}
