import type { MetaField } from "../../../core/records.ts";
import { weights } from "../learned/title.ts";
import { type PageView, trustFor } from "../page-view.ts";
import { type Clue, choose, chooseInOrder } from "../weigh.ts";
import { otherPageHeadings } from "./title-places.ts";
import { contextOf, signsOf, titleVariants } from "./title-signs.ts";
import { siteNameRemover } from "./title-site.ts";
import { titleReadings } from "./title-sources.ts";

/** The order of `--cascade classic` (docs/metadata.md). */
const classic = ["h1", "og:title", "twitter:title", "title", "h2", "itemprop:headline"];

export function titleOf(page: PageView, cascade: "weighed" | "classic"): MetaField<string> {
  if (cascade === "classic") return chooseInOrder(classicClues(page), classic);
  const field = choose(titleClues(page), weights, trustFor(page, "title"));
  if (field.value === null) return chooseFallback(page, field);
  const value = siteNameRemover(page)(field.value);
  return value === field.value ? field : { ...field, value };
}

/** Fallback: if no candidate reaches the threshold, use `<title>` first, because the other sources often name something else. */
function chooseFallback(page: PageView, unlikely: MetaField<string>): MetaField<string> {
  const fallback = chooseInOrder(classicClues(page), ["title", ...classic]);
  if (fallback.value === null) return unlikely;
  const candidates = unlikely.candidates.filter(({ value }) => value !== fallback.value);
  return { value: fallback.value, source: fallback.source, confidence: weights.least, candidates };
}

export function titleClues(page: PageView): Clue<string>[] {
  const readings = titleReadings(page);
  const context = contextOf(page, readings);
  const otherPages = otherPageHeadings(page, readings);
  return titleVariants(readings).flatMap((variant) => {
    const signs = signsOf(variant, context);
    const { key, whole, cuts, value } = variant;
    if (otherPages.has(key)) return [{ source: whole[0]!.source, value, signs, rejected: "it names the page it links to" }];
    if (whole.length > 0)
      return whole.map((reading) => {
        const spelling = whole.filter((other) => other.value.toLowerCase() === reading.value.toLowerCase()).length / whole.length;
        return { source: reading.source, value: reading.value, signs: { ...signs, spelling }, ...rejection(reading.value) };
      });
    return [{ source: `${cuts[0]!.from.source}-cut`, value, signs, ...rejection(value) }];
  });
}

function classicClues(page: PageView): Clue<string>[] {
  const removeSiteName = siteNameRemover(page);
  return titleReadings(page).map(({ source, value }) => {
    const kept = removeSiteName(value);
    return { source, value: kept, signs: {}, ...rejection(kept) };
  });
}

function rejection(value: string): { rejected?: string } {
  if (value.length < 3) return { rejected: `${value.length} < 3 characters` };
  return value.length > 200 ? { rejected: `${value.length} > 200 characters` } : {};
}
