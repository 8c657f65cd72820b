import type { MetaField, Topic } from "../records.ts";
import type { MainText } from "./main-text.ts";
import type { PageView } from "./page-view.ts";
import { nothing } from "./weigh.ts";

/** `own` are the topics its user has given the site: they come first and are kept. */
export function topicsOf(
  _page: PageView,
  _main: MainText,
  _own: readonly string[],
  _cascade: "weighed" | "classic",
): MetaField<readonly Topic[]> {
  return { ...nothing, candidates: [] };
}
