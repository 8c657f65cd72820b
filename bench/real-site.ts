// Pages for the benchmark: saved pages of a folder or, if there is none, generated ones of similar size and structure. They are laid out as
// sites in a folder, compressed in advance, with index pages that link to them.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import { seededRandom } from "../src/engine/frontier/index.ts";

/** Beside the repository, for a collection of saved pages. */
const USUAL_FOLDER = fileURLToPath(new URL("../../../shared/data/extract", import.meta.url));
const KB = 1024;
const SIZES = [60 * KB, 150 * KB, 250 * KB];

export interface PageSource {
  /** Origin of the pages, for the report. */
  readonly from: string;
  readonly count: number;
  page(index: number): Buffer;
}

/** The pages of `folder`, of the default folder if none is given, or generated ones. At most `most`, spread evenly over the collection. */
export function openPages({ folder, most }: { folder?: string | undefined; most: number }): PageSource {
  const place = folder ?? USUAL_FOLDER;
  if (folder !== undefined && !existsSync(folder)) throw new Error(`--pages-dir ${folder}: there is no such folder`);
  if (!existsSync(place)) return { from: "generated pages of 60, 150 and 250 KB", count: most, page: generatedPage };
  const files = pageFiles(place);
  if (files.length === 0) throw new Error(`--pages-dir ${place}: no .html or .html.gz files in it`);
  const count = Math.min(most, files.length);
  const page = (index: number) => readPage(files[Math.floor((index * files.length) / count)]!);
  return { from: `${files.length.toLocaleString("en")} saved pages of public sites`, count, page };
}

function pageFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.html(\.gz)?$/.test(name) && name.split("/").length <= 2)
    .sort()
    .map((name) => join(folder, name));
}

const readPage = (file: string): Buffer => (file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file));

const WORDS =
  "the of and a to in is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our man me even most made after also did many off before must well back through years much where your way down should because long each just state those people too mr little world good make very year still see own work men day get here old between both life being under three never know same last another while us might great go come since against right came take used himself few house american use place during high without again home around small however found mrs part school thought went say general once upon war every left got water light river bridge market council garden library winter harvest signal copper".split(
    " ",
  );

/** Deterministic: the same number gives the same page on every machine. */
export function generatedPage(index: number): Buffer {
  const random = seededRandom(index + 1);
  const size = SIZES[index % SIZES.length]!;
  const pick = (most: number) => Math.floor(random() * most);
  const words = (count: number) => Array.from({ length: count }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)]).join(" ");
  const sentence = () => `${words(6 + pick(18)).replace(/^./, (first) => first.toUpperCase())}.`;
  const title = words(7);
  const link = () => `<a class="c-link c-link--${pick(9)}" href="/story/${pick(1e6)}/${words(3).replaceAll(" ", "-")}">${words(5)}</a>`;
  const parts = [headOf(title, sentence(), index), nested(link, 8, 60)];
  let length = parts.join("").length;
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  add(`<main><article><h1>${title}</h1>`);
  for (let paragraph = 0; paragraph < 30; paragraph++)
    add(
      `<p class="body-text">${sentence()} ${link()} ${sentence()} ${sentence()}</p>\n${paragraph % 6 === 5 ? `<h2>${words(5)}</h2>` : ""}`,
    );
  add("</article></main>");
  // On most sites more than half of a page is scripts, their data, and lists repeated on every page.
  while (length < size) {
    add(nested(link, 12, 12));
    add(scriptOf(pick, words));
  }
  add("</body></html>\n");
  return Buffer.from(parts.join(""));
}

function headOf(title: string, description: string, index: number): string {
  const data = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: title,
    description,
    datePublished: "2024-03-05T09:30:00Z",
    author: { "@type": "Person", name: "A. Writer" },
  };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="description" content="${description}">
<meta property="og:title" content="${title}"><meta property="og:type" content="article"><meta property="og:image" content="/images/${index}.jpg">
<link rel="stylesheet" href="/style.css"><script type="application/ld+json">${JSON.stringify(data)}</script></head><body class="page page--${index}">`;
}

/** Nested boxes with a list of links in the innermost one. */
function nested(link: () => string, depth: number, links: number): string {
  const boxes = Array.from({ length: depth }, (_, at) => `<div class="l-box l-box--${at}" data-level="${at}">`).join("");
  const list = Array.from({ length: links }, () => `<li class="item">${link()}</li>`).join("\n");
  return `${boxes}<ul class="list">${list}</ul>${"</div>".repeat(depth)}\n`;
}

function scriptOf(pick: (most: number) => number, words: (count: number) => string): string {
  const rows = Array.from({ length: 40 }, () => ({ id: pick(1e9), slug: words(3), flags: [pick(2), pick(2)], href: `/x/${pick(1e6)}` }));
  return `<script>window.__STATE__=window.__STATE__||[];window.__STATE__.push(${JSON.stringify(rows)});(function(a,b){for(var i=0;i<b.length;i++){if(b[i].id<${pick(1e9)}){a.push(b[i].slug)}}})([],window.__STATE__)</script>\n`;
}

export interface RealSite {
  /** The document root of each host is `<folder>/<address>`. */
  readonly folder: string;
  readonly addresses: readonly string[];
  /** Address and path of every page, including index pages. */
  readonly pages: ReadonlySet<string>;
  /** Depth of the last page. Saved pages link to pages that are not here, so contenders must not go deeper. */
  readonly depth: number;
}

const LINKS_A_PAGE = 100;
export const ONE_HOST = "127.0.0.81";
export const manyHosts = (count: number): string[] => Array.from({ length: count }, (_, host) => `127.0.1.${host + 1}`);

interface Kept {
  readonly file: string;
}

function keep(file: string, bytes: Buffer): Kept {
  writeFileSync(file, bytes);
  // The level servers use when they compress in advance or cache compressed files.
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_DEFAULT_COMPRESSION }));
  return { file };
}

function linked({ file }: Kept, to: string): void {
  linkSync(file, to);
  linkSync(`${file}.gz`, `${to}.gz`);
}

/** Every page once in each of these folders of one host. */
export function layOutOneHost(root: string, source: PageSource, folders: readonly string[]): RealSite {
  const home = join(root, ONE_HOST);
  for (const name of folders) mkdirSync(join(home, name), { recursive: true });
  const paths: string[] = [];
  const pages: Kept[] = [];
  for (let index = 0; index < source.count; index++) {
    const first = `/${folders[0]}/p${index}.html`;
    pages.push(keep(join(home, first), source.page(index)));
    paths.push(first);
  }
  for (const name of folders.slice(1))
    for (const [index, page] of pages.entries()) {
      linked(page, join(home, name, `p${index}.html`));
      paths.push(`/${name}/p${index}.html`);
    }
  const indexes: string[] = [];
  for (let at = 0; at < paths.length; at += LINKS_A_PAGE) {
    const path = `/i${indexes.length}.html`;
    keep(join(home, path), listOf(`Pages from ${at + 1}`, paths.slice(at, at + LINKS_A_PAGE)));
    indexes.push(path);
  }
  keep(join(home, "index.html"), listOf("All pages", indexes));
  return { folder: root, addresses: [ONE_HOST], depth: 2, pages: new Set(["/", ...indexes, ...paths].map((path) => ONE_HOST + path)) };
}

/** Hosts with some pages each. If there are too few pages, several hosts share a page, but no two have the same set. */
export function layOutManyHosts(root: string, source: PageSource, { hosts, each }: { hosts: number; each: number }): RealSite {
  const store = join(root, "pages");
  mkdirSync(store, { recursive: true });
  const kept = Array.from({ length: Math.min(source.count, hosts * each) }, (_, index) =>
    keep(join(store, `${index}.html`), source.page(index)),
  );
  const addresses = manyHosts(hosts);
  const pages = new Set<string>();
  for (const [host, address] of addresses.entries()) {
    mkdirSync(join(root, address));
    const paths = Array.from({ length: each }, (_, at) => `/p${host * each + at}.html`);
    for (const [at, path] of paths.entries()) linked(kept[(host * each + at) % kept.length]!, join(root, address, path));
    keep(join(root, address, "index.html"), listOf(`Pages of host ${host + 1}`, paths));
    for (const path of ["/", ...paths]) pages.add(address + path);
  }
  return { folder: root, addresses, depth: 1, pages };
}

function listOf(title: string, paths: readonly string[]): Buffer {
  const items = paths.map((path) => `<li><a href="${path}">Page ${path.slice(1, -5)}</a></li>`);
  return Buffer.from(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><ul>${items.join("\n")}</ul></body></html>\n`,
  );
}
