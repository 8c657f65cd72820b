import { originOf } from "../../analysis/url/index.ts";
import type { World } from "../../engine/app.ts";
import { openBodyReader, type Reader, type ReadSetup } from "../../engine/crawl/index.ts";
import { type FakePage, type FakeRequest, openFakeFetcher } from "./fake-fetcher.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface FakeSite {
  /** The first page. */
  readonly url: string;
  /** For `crawl(site.url, { ...site.options })`, `fetchPage` and `map`. */
  readonly options: { readonly world: World };
  /** Every request received, with its time. */
  readonly requests: readonly FakeRequest[];
  /** Virtual time, which passes only while a crawl waits. */
  readonly clock: VirtualClock;
}

const NOT_FOUND: FakePage = { status: 404, body: "<title>Not found</title>" };

/**
 * A site without a network. Pages are keyed by path, or by URL if there are several hosts; they are looked up at each request, so a test
 * may change the table between two runs. Everything else is real: robots.txt, pace, frontier, reader and store.
 */
export function fakeSite(pages: Readonly<Record<string, FakePage>>, url = "https://site.test/"): FakeSite {
  const clock = new VirtualClock();
  const requests: FakeRequest[] = [];
  const hits = new Map<string, number>();
  const homeOrigin = originOf(url);
  const find = (requestedUrl: string): FakePage | undefined => {
    const path = requestedUrl.startsWith(`${homeOrigin}/`) ? requestedUrl.slice(homeOrigin.length) : requestedUrl;
    if (Object.hasOwn(pages, path)) return pages[path];
    // Not found literally; the key may be another spelling of the same URL.
    const hrefs = new Map(Object.keys(pages).map((name) => [new URL(name, url).href, name]));
    const name = hrefs.get(requestedUrl);
    if (name !== undefined) return pages[name];
    const origin = originOf(requestedUrl);
    return origin === homeOrigin || [...hrefs.keys()].some((href) => originOf(href) === origin) ? NOT_FOUND : undefined;
  };
  const world: World = {
    clock,
    openFetcher: (config) => openFakeFetcher({ find, clock, requests, hits }, config),
    openReader: openFakeReader,
    readsHere: true,
  };
  return { url, options: { world }, requests, clock };
}

/** Reads in this thread: with a reader thread the event loop would be idle meanwhile, and virtual time would pass. */
async function openFakeReader(setup: ReadSetup): Promise<Reader> {
  const readBody = await openBodyReader(setup);
  return {
    read: async (job) => {
      try {
        return { reading: readBody(job) };
      } catch (cause) {
        return { error: cause instanceof Error ? cause.message : String(cause) };
      }
    },
    close: async () => undefined,
  };
}
