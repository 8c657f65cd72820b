/** Pages in files, linked with each other, and a comparison of what was kept of them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contentOf, difference, KB, MB } from "./cases.ts";

const sizes = [KB, 5 * KB, 20 * KB, 64 * KB + 1, 150 * KB, 500 * KB, 2 * MB];
const LINKS = 4;

/** By path, all in one folder. Page n links to the pages from 4n+1 to 4n+4, and back to the first. */
export function linkedPages(count: number, folder = ""): ReadonlyMap<string, Buffer> {
  const pages = new Map<string, Buffer>();
  for (let page = 0; page < count; page++) {
    const path = `${folder}/${nameOf(page)}`;
    const links = Array.from({ length: LINKS }, (_, link) => page * LINKS + link + 1).filter((target) => target < count);
    const anchors = [0, ...links].map((target) => `<a href="${nameOf(target)}">page ${target}</a>`).join("\n");
    const head = Buffer.from(`<!doctype html><title>Page ${page}</title>\n${anchors}\n`);
    const bytes = contentOf(path, sizes[page % sizes.length]!);
    head.copy(bytes);
    pages.set(path, bytes);
  }
  return pages;
}

const nameOf = (page: number) => (page === 0 ? "index.html" : `page-${page}.html`);

export function writePages(folder: string, pages: ReadonlyMap<string, Buffer>): void {
  for (const [path, bytes] of pages) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

/** Whatever is wrong with a page directory of the Tiny Search Engine: a line of URL, a line of depth, and the body. */
export function faultsIn(directory: string, pages: ReadonlyMap<string, Buffer>): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const name of readdirSync(directory).filter((entry) => entry !== ".crawler")) {
    const bytes = readFileSync(join(directory, name));
    const first = bytes.indexOf("\n");
    const path = new URL(bytes.toString("latin1", 0, first)).pathname;
    const served = pages.get(path);
    const wrong = served === undefined ? "was never served" : difference(bytes.subarray(bytes.indexOf("\n", first + 1) + 1), served);
    if (wrong !== undefined) faults.push(`${name} ${path}: ${wrong}`);
    if (seen.has(path)) faults.push(`${name} ${path}: there twice`);
    seen.add(path);
  }
  for (const path of pages.keys()) if (!seen.has(path)) faults.push(`${path}: missing`);
  return faults;
}
