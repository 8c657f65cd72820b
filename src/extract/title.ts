import type { MetaField } from "../records.ts";
import { weights } from "./learned/title.ts";
import { type PageView, textOf } from "./page-view.ts";
import { type Clue, choose, chooseInOrder } from "./weigh.ts";

/** S2's order. */
const classic = ["h1", "og:title", "twitter:title", "title", "h2", "itemprop:headline"];

export function titleClues({ elements, metas }: PageView): Clue<string>[] {
  const first = (name: string) => elements.find((element) => element.name === name);
  const found: (readonly [source: string, value: string | undefined])[] = [
    ...["h1", "title", "h2"].map((name) => [name, textOfFirst(first(name))] as const),
    ...["og:title", "twitter:title"].map((name) => [name, metas.get(name)?.[0]] as const),
  ];
  return found.flatMap(([source, value]) => (value ? [{ source, value, signs: {} }] : []));
}

const textOfFirst = (element: Parameters<typeof textOf>[0] | undefined) =>
  element && (element.name === "title" ? String(element.children[0] ?? "") : textOf(element));

export function titleOf(page: PageView, cascade: "weighed" | "classic"): MetaField<string> {
  const clues = titleClues(page);
  return cascade === "classic" ? chooseInOrder(clues, classic) : choose(clues, weights);
}
