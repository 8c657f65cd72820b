import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractWithSources } from "../../src/analysis/extract/index.ts";
import { kinds, mutate } from "./mutate.ts";
import { smallPages } from "./small-pages.ts";
import { isWhole, numRuns } from "./soup.ts";
import { torture } from "./torture.ts";

const url = "http://a.test/2024/03/02/climb";
/** A page takes longer than what others feed on. */
const runs = Math.min(Math.ceil(numRuns / 1.5), 10_000);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const mutations = fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: share, to: share, piece: share }), {
  minLength: 1,
  maxLength: 12,
});

/** What holds of the metadata of every page, however broken. */
function check(html: string, cascade: "weighed" | "classic"): void {
  const metadata = extractWithSources(html, url, { cascade });
  const { image, canonical, publishedAt, modifiedAt, structured } = metadata;
  for (const { value } of [image, canonical]) if (value !== null) expect(new URL(value).protocol).toMatch(/^https?:$/);
  for (const { value } of [publishedAt, modifiedAt]) if (value !== null) expect(Number.isFinite(Date.parse(value))).toBe(true);
  for (const field of Object.values(metadata)) {
    if (typeof field !== "object" || !("confidence" in field)) continue;
    expect(field.confidence).toBeGreaterThanOrEqual(0);
    expect(field.confidence).toBeLessThanOrEqual(1);
    expect(field.source === "").toBe(field.value === null);
  }
  const texts: string[] = [];
  JSON.stringify(metadata, (_name, value) => (typeof value === "string" ? texts.push(value) : value));
  expect(texts.filter((text) => !isWhole(text))).toEqual([]);
  expect(JSON.stringify(structured).length).toBeLessThan(66_000);
}

test("metadata of a broken page keep their form, and nothing throws", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...smallPages),
      mutations,
      fc.constantFrom("weighed" as const, "classic" as const),
      (page, broken, cascade) => {
        // As it comes of bytes: what is written may hold half a letter, but no decoder gives one.
        check(Buffer.from(mutate(page, broken)).toString(), cascade);
      },
    ),
    { numRuns: runs },
  );
});

describe("pages made to hurt", () => {
  test.each(torture)("%s", (_name, page) => {
    check(page(100), "weighed");
    check(page(100), "classic");
  });
});
