import type { MetaField } from "../records.ts";
import type { PageView } from "./page-view.ts";
import { nothing } from "./weigh.ts";

export interface PageDates {
  readonly publishedAt: MetaField<string>;
  readonly modifiedAt: MetaField<string>;
}

export function datesOf(_page: PageView, _cascade: "weighed" | "classic"): PageDates {
  return { publishedAt: { ...nothing, candidates: [] }, modifiedAt: { ...nothing, candidates: [] } };
}
