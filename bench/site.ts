/**
 * A deterministic site for measuring: pages of about 17 KB with 50 links, all reachable from "/" within a few clicks. Everything is built
 * before the first request; only title and links differ between pages, the rest is shared.
 */
interface BenchSite {
  /** The response of a page in two parts: its own head and links, and the part shared by all pages. */
  readonly own: readonly Buffer[];
  readonly shared: Buffer;
  readonly notModified: readonly Buffer[];
}

interface BenchSiteOptions {
  readonly pages: number;
  readonly links: number;
  readonly bytes: number;
  /** First article number in its texts, so that hosts do not look like mirrors of each other. */
  readonly first: number;
}

const words =
  "river bridge market council garden library winter harvest signal copper lantern meadow harbour ticket window letter saddle barrel".split(
    " ",
  );

function sharedText(bytes: number): string {
  let text = "";
  for (let index = 0; text.length < bytes; index++) {
    const sentence = Array.from({ length: 14 }, (_, word) => words[(index * 7 + word * (1 + (index % 5))) % words.length]).join(" ");
    text += index % 6 === 0 ? `<h2>${sentence.slice(0, 40)}</h2>\n` : `<p class="text">${sentence}, ${sentence}.</p>\n`;
  }
  return text;
}

const SECTIONS = 40;

const pathOf = (page: number): string => (page === 0 ? "/" : `/section-${page % SECTIONS}/article-${page}.html`);

const [SLASH, DOT, NINE, ZERO] = [0x2f, 0x2e, 0x39, 0x30];
const SECTION_AT = "/section-".length;
const ARTICLE = "/article-".length;

/** The page whose path starts at `at` in a request, or -1. Reads bytes, so that no strings are allocated per request. */
export function pageAt(request: Buffer, at: number, pages: number): number {
  if (request[at] === SLASH && request[at + 1] === 0x20) return 0;
  let section = 0;
  let index = at + SECTION_AT;
  for (; request[index]! >= ZERO && request[index]! <= NINE; index++) section = section * 10 + request[index]! - ZERO;
  if (request[index] !== SLASH) return -1;
  let page = 0;
  for (index += ARTICLE; request[index]! >= ZERO && request[index]! <= NINE; index++) page = page * 10 + request[index]! - ZERO;
  return request[index] === DOT && page > 0 && page < pages && section === page % SECTIONS ? page : -1;
}

/** Tree children make every page reachable; the other links go anywhere, as on real sites. */
function linksOf(page: number, { pages, links }: BenchSiteOptions): number[] {
  const children = 8;
  const targets: number[] = [];
  for (let child = 1; child <= children; child++) if (page * children + child < pages) targets.push(page * children + child);
  for (let step = 1; targets.length < links; step++) targets.push((page * 31 + step * step * 17 + step * 101) % pages);
  return targets;
}

/** wget2 opens a connection for every page without this header, although it is the default of HTTP/1.1. */
const KEEP = "Connection: keep-alive\r\n";

const SLAB = 16 * 1024 * 1024;
let slab = Buffer.alloc(0);
let used = 0;

/** Packs many small buffers into a few large ones, so that the server's garbage collector has little to scan. */
function pack(text: string): Buffer {
  if (used + text.length > slab.length) {
    slab = Buffer.allocUnsafeSlow(Math.max(SLAB, text.length));
    used = 0;
  }
  const start = used;
  used += slab.write(text, start, "latin1");
  return slab.subarray(start, used);
}

export function benchSite(options: BenchSiteOptions): BenchSite {
  const { first } = options;
  const shared = Buffer.from(
    `${sharedText(Math.max(0, options.bytes - options.links * 110))}</main><footer>The same on every page.</footer></body></html>\n`,
  );
  const own: Buffer[] = [];
  const notModified: Buffer[] = [];
  for (let page = 0; page < options.pages; page++) {
    const list = linksOf(page, options).map(
      (target) =>
        `<li class="item"><a href="${pathOf(target)}" title="To article ${first + target}">Article ${first + target} in brief</a></li>`,
    );
    const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Article ${first + page}</title></head><body><nav><a href="/">Home</a></nav><main><h1>Article ${first + page}</h1><ul>${list.join("\n")}</ul>\n`;
    const length = head.length + shared.length;
    const etag = `"v1-${page}"`;
    own.push(
      pack(`HTTP/1.1 200 OK\r\n${KEEP}Content-Type: text/html; charset=utf-8\r\nETag: ${etag}\r\nContent-Length: ${length}\r\n\r\n${head}`),
    );
    notModified.push(pack(`HTTP/1.1 304 Not Modified\r\n${KEEP}ETag: ${etag}\r\n\r\n`));
  }
  return { own, shared, notModified };
}
