import { describe, expect, test } from "vitest";
import { MirrorGuard } from "./index.ts";

const PAGES = 15;
const leaf = (folder: string, page: number) => `http://a.test${folder}/leaf${page}`;

/** Reads a site of fifteen pages in each folder, and returns the number of folders in which a page was taken for a mirror. */
function read(folders: readonly string[], text: (page: number, folder: string) => string): { guard: MirrorGuard; told: number } {
  const guard = new MirrorGuard();
  let told = 0;
  for (const folder of folders) {
    const mirrors = Array.from({ length: PAGES }, (_, page) => guard.learn(leaf(folder, page), text(page, folder), leaf(folder, 0)));
    if (mirrors.some((mirror) => mirror !== undefined)) told += 1;
  }
  return { guard, told };
}

const copies = Array.from({ length: 10 }, (_, copy) => `/copy${copy}`);

describe("mirrors", () => {
  test("are told once there are many, and what only they name is refused", () => {
    const { guard, told } = read(["", ...copies], (page) => `text ${page}`);
    expect(told).toBe(8);
    expect(guard.learn(leaf("/copy99", 3), "text 3")).toBe(leaf("", 3));
    expect(guard.admit(leaf("/copy5", 3))).toBe(false);
    expect(guard.admit(leaf("", 3))).toBe(true);
    expect(guard.admit(undefined)).toBe(true);
  });

  test("the shorter path is the original, even if it was met later", () => {
    const { guard } = read([...copies, ""], (page) => `text ${page}`);
    expect(guard.admit(leaf("", 3))).toBe(true);
    expect(guard.learn(leaf("/copy99", 3), "text 3")).toBe(leaf("", 3));
  });

  test.each([
    ["pages of one name that say other things", copies, (page: number, folder: string) => `text ${page} of ${folder}`],
    ["the same page under two addresses", ["", "/print"], (page: number) => `text ${page}`],
  ])("are not: %s", (_, folders, text) => {
    expect(read(folders, text).told).toBe(0);
  });

  test("are not: index pages that say the same and lead to pages that do not", () => {
    const guard = new MirrorGuard();
    for (const folder of copies) {
      for (let page = 0; page < PAGES; page++) {
        expect(guard.learn(leaf(folder, page), `text ${page}`)).toBeUndefined();
        expect(guard.learn(`${leaf(folder, page)}/more`, `${folder} ${page}`, leaf(folder, page))).toBeUndefined();
      }
    }
    expect(guard.admit(leaf("/copy5", 3))).toBe(true);
  });

  test("are not: pages that all say the same under names of their own", () => {
    const guard = new MirrorGuard();
    for (let page = 0; page < 500; page++) expect(guard.learn(leaf("", page), "same")).toBeUndefined();
  });
});
