/**
 * Product sites with planted facts: a docs site, a shop and a service, each drawn from a seed. A fact is a sentence with a word that stands nowhere
 * else; it belongs to one of the four questions of a context and to one page. Around the text stands what stands around such texts: menus, banners,
 * crumbs, trees, pagers, goods, boxes and footers, in one of four layouts. `furniture` lists phrases of those, none of which may reach a context.
 */
import { draw } from "../drawing.ts";
import type { PlantedFact } from "./facts.ts";
import { furnitureOf, phrasesOf } from "./furniture.ts";
import { layouts } from "./layouts.ts";
import { type Kind, type PlannedPage, planOf } from "./outline.ts";

export type { PlantedFact, Question } from "./facts.ts";
export type { Kind } from "./outline.ts";

export interface PlantedSite {
  /** HTML by path, as `serveSite` takes it. */
  readonly pages: Readonly<Record<string, string>>;
  readonly facts: readonly PlantedFact[];
  /** Paths of the five pages that explain the product: what a context should follow. */
  readonly explaining: readonly string[];
  readonly furniture: readonly string[];
}

export const plantedKinds: readonly Kind[] = ["docs", "shop", "saas"];

export function plantedSite(kind: Kind, seed: number): PlantedSite {
  const { product, root, explaining, facts } = planOf(kind, seed);
  const pick = draw(seed, 31, kind.charCodeAt(0));
  const furniture = furnitureOf(kind, seed, product, explaining);
  const layout = pick(layouts);
  const drawPage = (page: PlannedPage, at: number) => {
    const from = at % 5;
    const related = kind === "shop" ? furniture.related.slice(from, from + 3) : [];
    return layout({ product, page, furniture, related, hasTree: kind === "docs" && at > 0 });
  };
  return {
    pages: Object.fromEntries([root, ...explaining].map((page, at) => [page.path, drawPage(page, at)])),
    facts,
    explaining: explaining.map(({ path }) => path),
    furniture: phrasesOf(furniture, kind),
  };
}
