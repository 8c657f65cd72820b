import { expect, test } from "vitest";
import type { PageMetadata, Topic } from "../../core/records.ts";
import { type MergeMode, merge } from "./merge.ts";

const found = <T>(value: T, source = "x", confidence?: number) => ({ value, source, ...(confidence !== undefined && { confidence }) });
const topic = (name: string, source = "meta:keywords"): Topic => ({ name, source, confidence: 0.8, parents: [] });
const topics = (...list: Topic[]) => found(list, [...new Set(list.map(({ source }) => source))].join("+"));

const merged = (known: PageMetadata, values: PageMetadata, mode: MergeMode = "keep") =>
  merge({ metadata: known }, { ...READ, values }, mode);

const READ = {
  verdict: { value: "ok", source: "" },
  preview: "",
  evidence: new Uint8Array(),
  blocks: new Uint32Array(),
  extractor: 2,
} as const;

test.each([
  ["what is missing is added", { title: found("a") }, { image: found("i") }, "keep", { title: "a", image: "i" }, ["image"]],
  ["what is known stays", { title: found("a") }, { title: found("b") }, "keep", { title: "a" }, []],
  ["unless it is forced", { title: found("a") }, { title: found("b") }, "overwrite", { title: "b" }, []],
  ["what a page no longer says stays even then", { title: found("a") }, {}, "overwrite", { title: "a" }, []],
  [
    "made anew, only what the page says now is left",
    { title: found("a"), image: found("i") },
    { title: found("b") },
    "replace",
    { title: "b" },
    [],
  ],
  [
    "but for what a model wrote",
    { description: found("d", "model:m") },
    { title: found("b") },
    "replace",
    { description: "d", title: "b" },
    ["title"],
  ],
  ["counts are those of the text as it is read now", { wordCount: found(9) }, { wordCount: found(12) }, "keep", { wordCount: 12 }, []],
] as [string, PageMetadata, PageMetadata, MergeMode, Record<string, unknown>, string[]][])(
  "%s",
  (_, known, values, mode, expected, added) => {
    const { metadata, fieldsAdded, isChanged } = merged(known, values, mode);
    expect(Object.fromEntries(Object.entries(metadata).map(([field, { value }]) => [field, value]))).toEqual(expected);
    expect(fieldsAdded).toEqual(added);
    expect(isChanged).toBe(JSON.stringify(Object.values(known).map(({ value }) => value)) !== JSON.stringify(Object.values(expected)));
  },
);

test.each([
  ["topics are added to those that are known", [topic("a")], [topic("b"), topic("a", "url:path")], "keep", ["a", "b"]],
  ["forced, they take their place", [topic("a")], [topic("b")], "overwrite", ["b"]],
  [
    "made anew, only the user's own are left of those that are known",
    [topic("mine", "user"), topic("a")],
    [topic("b")],
    "replace",
    ["mine", "b"],
  ],
  ["those of the user's own stay in any case", [topic("mine", "user"), topic("a")], [topic("b")], "overwrite", ["mine", "b"]],
  [
    "there are ten at most",
    Array.from({ length: 8 }, (_, at) => topic(`known ${at}`)),
    Array.from({ length: 8 }, (_, at) => topic(`new ${at}`)),
    "keep",
    [...Array.from({ length: 8 }, (_, at) => `known ${at}`), "new 0", "new 1"],
  ],
] as [string, Topic[], Topic[], MergeMode, string[]][])("%s", (_, known, read, mode, names) => {
  const { metadata } = merged({ topics: topics(...known) }, { topics: topics(...read) }, mode);
  expect(metadata.topics?.value.map(({ name }) => name)).toEqual(names);
});

test("where the topics come from is said of both lists", () => {
  const { metadata } = merged({ topics: topics(topic("a")) }, { topics: topics(topic("b", "url:path")) });
  expect(metadata.topics?.source).toBe("meta:keywords+url:path");
});

test("a main text that nobody had looked for is told as a field that was added", () => {
  expect(merged({ title: found("a") }, { wordCount: found(3) })).toMatchObject({
    fieldsAdded: ["text"],
    isChanged: true,
  });
});
