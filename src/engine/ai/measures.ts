import type { LabelledLinks } from "./eval-set.ts";

/** Agreement of matches with a person's labels, 0 to 1. Means over the keywords, so that rare ones count as much as common ones. */
export interface Measures {
  /** Whether fitting links come first (mean average precision; ties count as random order). */
  readonly meanAveragePrecision: number;
  /** Precision and recall of matches of at least 0.4. */
  readonly precision: number;
  readonly recall: number;
  /** Share of traps without such a match. */
  readonly trapsAvoided: number;
}

const MIN_MATCH = 0.4;

export function measure({ keywords, links }: LabelledLinks, matchOf: (place: number, keyword: string) => number): Measures {
  const rows = keywords.map((keyword) => {
    const items = links.flatMap((link, place) =>
      link.unsure.includes(keyword)
        ? []
        : [{ match: matchOf(place, keyword), fits: (link.fits[keyword] ?? 0) > 0, isTrap: link.traps.includes(keyword) }],
    );
    const [found, fitting, traps] = [
      items.filter(({ match }) => match >= MIN_MATCH),
      items.filter(({ fits }) => fits),
      items.filter(({ isTrap }) => isTrap),
    ];
    return {
      ap: averagePrecision(items),
      precision: share(found, ({ fits }) => fits),
      recall: share(fitting, ({ match }) => match >= MIN_MATCH),
      traps: share(traps, ({ match }) => match < MIN_MATCH),
    };
  });
  return {
    meanAveragePrecision: mean(rows.map(({ ap }) => ap)),
    precision: mean(rows.map(({ precision }) => precision)),
    recall: mean(rows.map(({ recall }) => recall)),
    trapsAvoided: mean(rows.map(({ traps }) => traps)),
  };
}

interface Item {
  readonly match: number;
  readonly fits: boolean;
}

/** Expected value over all orders of equal matches, so that input order does not matter. */
function averagePrecision(items: readonly Item[]): number | undefined {
  const total = items.filter(({ fits }) => fits).length;
  if (total === 0) return undefined;
  let [seen, hits, sum] = [0, 0, 0];
  for (const level of [...new Set(items.map(({ match }) => match))].sort((a, b) => b - a)) {
    const equal = items.filter(({ match }) => match === level);
    const fitting = equal.filter(({ fits }) => fits).length;
    for (let place = 1; fitting > 0 && place <= equal.length; place++) {
      const before = equal.length > 1 ? ((place - 1) * (fitting - 1)) / (equal.length - 1) : 0;
      sum += (fitting / equal.length) * ((hits + before + 1) / (seen + place));
    }
    seen += equal.length;
    hits += fitting;
  }
  return sum / total;
}

const share = <T>(items: readonly T[], is: (item: T) => boolean) =>
  items.length === 0 ? undefined : items.filter(is).length / items.length;

function mean(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}
