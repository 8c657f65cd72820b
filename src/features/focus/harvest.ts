/** How early an order found the targets. */
export interface Harvest {
  readonly requests: number;
  readonly targets: number;
  /** Share of targets among all requests. */
  readonly harvestRate: number;
  /** The same for the requests up to 90 % of the targets. */
  readonly harvestRateAt90: number;
  /** Mean share of the targets found, over all requests. */
  readonly recallAuc: number;
  readonly requestsTo90: number;
  /** Share of the targets found after each twentieth of the requests. */
  readonly curve: readonly number[];
}

const POINTS = 20;

export function harvestOf(hits: readonly boolean[]): Harvest {
  const targets = hits.filter(Boolean).length;
  const wanted = Math.ceil(0.9 * targets);
  const recalls: number[] = [];
  let [foundTargets, requestsTo90] = [0, 0];
  for (const [at, isHit] of hits.entries()) {
    if (isHit) foundTargets += 1;
    if (isHit && foundTargets === wanted) requestsTo90 = at + 1;
    recalls.push(targets === 0 ? 0 : foundTargets / targets);
  }
  return {
    requests: hits.length,
    targets,
    harvestRate: ratio(targets, hits.length),
    harvestRateAt90: ratio(wanted, requestsTo90),
    recallAuc: ratio(
      recalls.reduce((sum, recall) => sum + recall, 0),
      hits.length,
    ),
    requestsTo90,
    curve: Array.from({ length: POINTS }, (_, point) => recalls[Math.ceil(((point + 1) * hits.length) / POINTS) - 1] ?? 0),
  };
}

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

const BARS = "▁▂▃▄▅▆▇█";

/** A curve of values 0–1 as a row of bar characters. */
export const sparkline = (curve: readonly number[]): string =>
  curve.map((value) => BARS[Math.min(BARS.length - 1, Math.floor(value * BARS.length))]).join("");
