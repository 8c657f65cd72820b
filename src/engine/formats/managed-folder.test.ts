import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManagedFolder } from "./managed-folder.ts";

describe("a folder with files of ours", () => {
  let root: string;
  const at = (path: string) => join(root, path);
  const site = "https://a.test/";
  const file = (path: string, content = `of ${path}`) => ({ path, site, content, beginning: "of " });
  const all = new Set([site]);
  const write = (files: readonly ReturnType<typeof file>[], isReplacing = false) => {
    const folder = new ManagedFolder(at("out"), isReplacing);
    return { taken: files.map((each) => folder.write(each)), ...folder.close(all) };
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "nuthatch-test-"));
    mkdirSync(at("out"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test("what is the same is not touched, what differs is written, what is gone goes with its empty folders", () => {
    expect(write([file("a/b.md"), file("a/c/d.md")])).toMatchObject({ written: 2, removed: 0 });
    const before = statSync(at("out/a/b.md")).mtimeMs;
    const list = readFileSync(at("out/.nuthatch-export.json"), "utf8");
    expect(write([file("a/b.md"), file("a/c/d.md")])).toMatchObject({ written: 0, removed: 0 });
    expect([statSync(at("out/a/b.md")).mtimeMs, readFileSync(at("out/.nuthatch-export.json"), "utf8")]).toEqual([before, list]);
    expect(write([file("a/b.md", "of something else")])).toMatchObject({ written: 1, removed: 1 });
    expect([readFileSync(at("out/a/b.md"), "utf8"), existsSync(at("out/a/c"))]).toEqual(["of something else", false]);
  });

  test("what is not ours stays, unless it may be replaced", () => {
    mkdirSync(at("out/a"));
    for (const name of ["b.md", "mine.md"]) writeFileSync(at(`out/a/${name}`), "mine");
    expect(write([file("a/b.md")])).toMatchObject({ taken: [false], kept: ["a/b.md"] });
    expect(readFileSync(at("out/a/b.md"), "utf8")).toBe("mine");
    expect(write([file("a/b.md")], true)).toMatchObject({ taken: [true], written: 1 });
    expect(write([])).toMatchObject({ removed: 1 });
    expect([existsSync(at("out/a/b.md")), existsSync(at("out/a/mine.md"))]).toEqual([false, true]);
  });

  test("files of sites that were not gone through stay", () => {
    write([file("a/b.md"), { ...file("b/c.md"), site: "https://b.test/" }]);
    expect(write([])).toMatchObject({ removed: 1 });
    expect(existsSync(at("out/b/c.md"))).toBe(true);
    expect(readFileSync(at("out/.nuthatch-export.json"), "utf8")).toContain("b/c.md");
  });

  test("links on the disk are not followed, neither to write nor to remove", () => {
    mkdirSync(at("elsewhere"));
    writeFileSync(at("elsewhere/b.md"), "of mine");
    symlinkSync(at("elsewhere"), at("out/a"));
    mkdirSync(at("out/c"));
    symlinkSync(at("elsewhere/b.md"), at("out/c/d.md"));
    const list = { files: { "a/b.md": site, "c/d.md": site } };
    writeFileSync(at("out/.nuthatch-export.json"), JSON.stringify(list));
    expect(write([file("a/b.md"), file("c/d.md")], true)).toMatchObject({ taken: [false, false], removed: 0 });
    expect(readFileSync(at("elsewhere/b.md"), "utf8")).toBe("of mine");
  });

  test("a list that names what is outside is not believed", () => {
    writeFileSync(at("precious.md"), "mine");
    const files = { "../precious.md": site, "a/../../precious.md": site, [at("precious.md")]: site, __proto__: site };
    writeFileSync(at("out/.nuthatch-export.json"), JSON.stringify({ files }));
    expect(write([])).toMatchObject({ removed: 0 });
    expect(existsSync(at("precious.md"))).toBe(true);
  });
});
