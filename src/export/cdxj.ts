/** The index of an archive: one line a record, sorted, as replay tools read it. */

export interface IndexEntry {
  readonly url: string;
  readonly at: string;
  readonly status: number;
  readonly mime: string;
  readonly digest: string;
  readonly offset: number;
  readonly length: number;
  readonly filename: string;
}

export function cdxjLine({ url, at, ...rest }: IndexEntry): string {
  const { mime, status, digest, length, offset, filename } = rest;
  const facts = { url, mime, status: String(status), digest, length: String(length), offset: String(offset), filename };
  return `${surt(url)} ${at.replace(/\D/g, "").slice(0, 14)} ${JSON.stringify(facts)}\n`;
}

/** A URL with its host turned round, so that pages of one site stand together: `org,example)/docs?a=1`. */
export function surt(url: string): string {
  const { hostname, port, pathname, search } = new URL(url.toLowerCase());
  const name = hostname.replace(/^www\d*\./, "");
  const turned = /^[\d.]+$|^\[/.test(name) ? name : name.split(".").reverse().join(",");
  const query = search === "" ? "" : `?${search.slice(1).split("&").sort().join("&")}`;
  return `${turned}${port === "" ? "" : `:${port}`})${pathname}${query}`;
}
