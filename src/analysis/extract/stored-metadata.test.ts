import { expect, test } from "vitest";
import { evidenceOf, extractWithSources, PREVIEW, recordFrom, valuesOf } from "./index.ts";

const long = "On the river there are boats, and in the boats there are people who look at the bridges. ".repeat(60);
const html = `<html lang="en"><head><title>Boats and bridges</title><meta property="og:title" content="Boats and bridges">
  <meta name="description" content="${"x".repeat(600)}"></head><body><article><h1>Boats and bridges</h1><p>${long}</p></article></body></html>`;
const record = extractWithSources(html, "http://a.test/");

test("what is kept of a field is its value, where it stood and how sure that is; fields without a value are left out", () => {
  const values = valuesOf(record);
  expect(values.title).toEqual({ value: "Boats and bridges", source: record.title.source, confidence: record.title.confidence });
  expect(values.wordCount).toEqual({ value: record.wordCount, source: record.text.source });
  expect(values).not.toHaveProperty("author");
});

test("the record comes back as it was, but for its text, of which there is the beginning, and long values, which are cut", () => {
  const back = recordFrom(evidenceOf(record), record.text.value!.slice(0, PREVIEW));
  expect(back.text.value).toHaveLength(PREVIEW);
  for (const name of ["title", "author", "lang", "verdict", "structured", "wordCount"] as const) expect(back[name]).toEqual(record[name]);
  const lengths = Object.values(back).flatMap((field) =>
    "candidates" in Object(field)
      ? (field as { candidates: { value: unknown }[] }).candidates.map(({ value }) => String(value).length)
      : [],
  );
  expect(Math.max(...lengths)).toBeLessThanOrEqual(300);
});
