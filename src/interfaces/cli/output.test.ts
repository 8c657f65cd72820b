import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Run } from "../../store/index.ts";
import type { Globals } from "./globals.ts";
import { openOutput, planOutput } from "./output.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "nuthatch-output-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string) => join(folder, name);
const written = (name: string) => gunzipSync(readFileSync(file(name))).toString();

function writeTo(name: string, parts: readonly string[], flags: object = {}): void {
  const output = openOutput(planOutput({ output: file(name), ...flags } as Globals)!);
  for (const part of parts) output.write(part);
  output.close();
}

describe("a name that ends in .gz", () => {
  test("packs what is written, in members, and is added to by one more", () => {
    const line = `{"text":"${"nuthatch ".repeat(100)}"}\n`;
    const lines = Array.from({ length: 1000 }, () => line);
    writeTo("a.jsonl.gz", lines);
    expect(written("a.jsonl.gz")).toBe(lines.join(""));
    expect(readFileSync(file("a.jsonl.gz")).length).toBeLessThan(20_000);
    writeTo("a.jsonl.gz", ["{}\n"], { append: true });
    expect(written("a.jsonl.gz")).toBe(`${lines.join("")}{}\n`);
  });

  test("is a gzip file also when there was nothing to write", () => {
    writeTo("empty.csv.gz", []);
    expect(written("empty.csv.gz")).toBe("");
    writeTo("empty.csv.gz", [], { append: true });
    expect(written("empty.csv.gz")).toBe("");
  });

  test("is not overwritten, and says what it is by the ending before", () => {
    expect(() => writeTo("a.jsonl.gz", [])).toThrow(/exists already/);
    expect(() => writeTo("a.gz", [])).toThrow(/does not end in a format/);
    expect(planOutput({ output: file("new.csv.gz") } as Globals)!.format).toBe("csv");
  });
});

describe("the file of a run that is taken up again", () => {
  const record = (crawlId: number) => `{"seq":1,"crawlId":${crawlId},"url":"http://a.test/"}\n`;
  const anew = { bytes: 0, seq: 0 };

  test.each([
    ["packed records of this run are written anew", "own.jsonl.gz", gzipSync(record(7)), anew],
    ["also when the end of them is missing", "cut.jsonl.gz", gzipSync(record(7).repeat(500)).subarray(0, -30), anew],
    ["a packed table of this run too", "own.csv.gz", gzipSync("url,crawlId\r\nx,7\r\n"), anew],
    ["and a packed file that was only begun", "begun.jsonl.gz", Buffer.alloc(0), anew],
    ["records of another run are not touched", "other.jsonl.gz", gzipSync(record(71)), undefined],
    ["a table of another run is not", "other.csv.gz", gzipSync("url,crawlId\r\nx,71\r\n"), undefined],
    ["what only looks packed is not", "plain.jsonl.gz", Buffer.from(record(7)), undefined],
    [
      "plain records are kept up to the last whole one",
      "own.jsonl",
      Buffer.from(`${record(7)}{"seq":2,"cr`),
      { bytes: record(7).length, seq: 1 },
    ],
    ["a plain table is written anew", "own.csv", Buffer.from("url,crawlId\r\nx,7\r\ny,"), anew],
  ] as [string, string, Buffer, object | undefined][])("%s", (_, name, bytes, keep) => {
    writeFileSync(file(name), bytes);
    const plan = () => planOutput({ output: file(name) } as Globals, { resumed: { id: 7 } as Run })?.keep;
    if (keep) expect(plan()).toEqual(keep);
    else expect(plan).toThrow(/exists already/);
  });
});
