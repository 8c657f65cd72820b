import type { MetaField } from "../records.ts";
import type { PageView } from "./page-view.ts";
import { nothing } from "./weigh.ts";

export function canonicalOf(_page: PageView, _cascade: "weighed" | "classic"): MetaField<string> {
  return { ...nothing, candidates: [] };
}
