/** Lays saved pages out as sites in a folder, compressed beforehand, with index pages that link to them. */
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import type { PageSource } from "./real-pages.ts";

export interface RealSite {
  /** Of each host its document root is `<folder>/<address>`. */
  readonly folder: string;
  readonly addresses: readonly string[];
  /** Address and path of every page, index pages included. */
  readonly pages: ReadonlySet<string>;
  /** How many clicks the last page is away from the first. Saved pages link to what is not here, so that nobody is to go further. */
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
  // The level that servers use when they compress beforehand or keep what they compressed.
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

/** Hosts with some pages each; where there are fewer pages than places for them, several hosts have the same page, but no two the same set. */
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
