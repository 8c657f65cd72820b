import { expect, test } from "vitest";
import type { MetaField } from "../../core/records.ts";
import { extractionLine } from "./log-line.ts";

const none = { value: null, source: "", confidence: 0, candidates: [] };
const from = <T>(source: string, value: T): MetaField<T> => ({ ...none, source, value });
const nothing = { title: none, description: none, image: none, author: none, publishedAt: none, text: none, topics: none };

test.each<[fact: string, metadata: Parameters<typeof extractionLine>[1], line: string]>([
  [
    "each field has its source, as the log line names it",
    {
      title: from("h1", "a"),
      description: from("og:description", "b"),
      image: from("og:image", "c"),
      author: from("meta:author", ["d"]),
      publishedAt: from("article:published_time", "2020-01-02"),
      text: from("article", "e"),
      topics: from("meta:keywords+content:analysis", []),
    },
    "[http://a.test/] Extracted from: title:h1, description:og:description, image:og:image, author:meta:author, date:article:published_time, content:article, topics:meta:keywords+content:analysis",
  ],
  [
    "fields without a value are left out",
    { ...nothing, title: from("title", "a"), text: from("paragraphs", "b") },
    "[http://a.test/] Extracted from: title:title, content:paragraphs",
  ],
  ["a page without any says so", nothing, "[http://a.test/] Extracted from: nothing"],
])("%s", (_fact, metadata, line) => {
  expect(extractionLine("http://a.test/", metadata)).toBe(line);
});
