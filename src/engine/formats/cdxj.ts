/** The CDXJ index of an archive: one line per record, sorted, as replay tools read it. */
import type { RecordEntry } from "./warc.ts";

/** The position of a record. */
export interface RecordPlace {
  readonly offset: number;
  readonly length: number;
  readonly filename: string;
}

export function cdxjLine({ url, at, mime, status, digest }: RecordEntry, { length, offset, filename }: RecordPlace): string {
  // CDXJ omits the prefix of the digest algorithm, for historical reasons.
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

/** The SURT form of a URL, with the host reversed so that the pages of a site sort together: `org,example)/docs?a=1`. */
export function surt(url: string): string {
  const { hostname, port, pathname, search } = new URL(url.toLowerCase());
  const name = hostname.replace(/^www\d*\./, "");
  const turned = /^[\d.]+$|^\[/.test(name) ? name : name.split(".").reverse().join(",");
  const query = search === "" ? "" : `?${search.slice(1).split("&").sort().join("&")}`;
  return `${turned}${port === "" ? "" : `:${port}`})${pathname}${query}`;
}
