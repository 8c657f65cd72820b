/** What is real among the traps: twenty pages that know each other, and an archive of four hundred. */
import type { PageSpec } from "../site/index.ts";
import { anchors, draw, times } from "./words.ts";

const PAGES = 20;
const ARCHIVE = 400;

export const realPaths: readonly string[] = ["/", ...times(PAGES, (n) => `/pages/${n}`)];
export const archivePaths: readonly string[] = times(ARCHIVE, (n) => `/archive?page=${n + 1}`);

const block = (page: number) => times(10, (n) => Math.floor((page - 1) / 10) * 10 + n + 1).filter((n) => n <= ARCHIVE);

/** `doors` stand on the front page. The archive links the ten pages of its block, and the first page of every other. */
export function realPage(path: string, doors: string): PageSpec | undefined {
  const [, number] = /^\/archive\?page=(\d+)$/.exec(path) ?? [];
  const page = Number(number);
  if (page >= 1 && page <= ARCHIVE) {
    const items = times(5, (n) => `<li>${draw(`item ${page} ${n}`).words(4)}</li>`).join("");
    const firsts = times(ARCHIVE / 10, (n) => 10 * n + 1);
    return `<h1>Archive</h1><ul>${items}</ul>${anchors(...[...block(page), ...firsts].map((n): [string, string] => [`/archive?page=${n}`, `${n}`]))}`;
  }
  const known = path === "/" ? -1 : Number(/^\/pages\/(\d+)$/.exec(path)?.[1] ?? PAGES);
  if (known >= PAGES) return undefined;
  const links = [1, 3, 7].map((step): [string, string] => [`/pages/${(known + step + PAGES) % PAGES}`, "another"]);
  return `<title>Page ${known}</title><p>${draw(`page ${known}`).words(40)}</p>${anchors(["/", "Home"], ...links)}${path === "/" ? doors : ""}`;
}
