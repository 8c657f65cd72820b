/**
 * The library, for sites of our own on loopback. A program opens no private address by naming it, so each call here also says `allowPrivate`, for the hosts
 * it names and no others.
 */
import * as library from "nuthatch";

type Options = { readonly allowPrivate?: readonly string[] | undefined };

const placeOf = (url: string): string[] => {
  if (!URL.canParse(url)) return [];
  const { hostname, port, protocol } = new URL(url);
  return [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
};

const opened = <Given extends Options>(urls: string | Iterable<string>, options: Given | undefined): Given => {
  const places = [...(typeof urls === "string" ? [urls] : urls)].flatMap(placeOf);
  return { ...options, allowPrivate: [...(options?.allowPrivate ?? []), ...places] } as unknown as Given;
};

export const crawl = ((seeds, input) => library.crawl(seeds, opened(seeds, input))) as typeof library.crawl;
export const fetchPage: typeof library.fetchPage = (url, options) => library.fetchPage(url, opened(url, options));
export const map: typeof library.map = (url, options) => library.map(url, opened(url, options));
export const context: typeof library.context = (url, options) => library.context(url, opened(url, options));
export const enrich: typeof library.enrich = (urls, options) => library.enrich(urls, opened(urls, options));

export const createCrawler = ((input) => {
  const crawler = library.createCrawler(input);
  return {
    run: (seeds: string | readonly string[], more?: library.CrawlInput) =>
      crawler.run(seeds, opened(seeds, { allowPrivate: input?.allowPrivate, ...more })),
  };
}) as typeof library.createCrawler;
