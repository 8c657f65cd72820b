/** Colours of the nodes of a graph. */

export const COLOUR_MODES = ["depth", "change", "status", "score"] as const;
export type ColourMode = (typeof COLOUR_MODES)[number];

export interface ColourableNode {
  readonly depth: number;
  readonly change: string;
  readonly status: number;
  readonly score: number;
}

type ColourClass = readonly [name: string, colour: string, isOne: (node: ColourableNode) => boolean];

/** The first class that matches is used; the last one matches everything. */
const CLASSES: Readonly<Record<ColourMode, readonly ColourClass[]>> = {
  depth: [
    ["start", "--depth-0", ({ depth }) => depth === 0],
    ["1 click", "--depth-1", ({ depth }) => depth === 1],
    ["2 clicks", "--depth-2", ({ depth }) => depth === 2],
    ["3 clicks", "--depth-3", ({ depth }) => depth === 3],
    ["more", "--depth-4", () => true],
  ],
  change: [
    ["new", "--new", ({ change }) => change === "new"],
    ["changed", "--changed", ({ change }) => change === "changed"],
    ["gone", "--bad", ({ change }) => change === "gone"],
    ["as it was", "--idle", () => true],
  ],
  status: [
    ["below 400", "--good", ({ status }) => status < 400],
    ["400 and above", "--bad", () => true],
  ],
  score: [
    ["0.8 and above", "--good", ({ score }) => score >= 0.8],
    ["0.4 and above", "--changed", ({ score }) => score >= 0.4],
    ["below", "--accent", ({ score }) => score > 0],
    ["none", "--idle", () => true],
  ],
};

export const legendOf = (by: ColourMode): readonly (readonly [name: string, colour: string])[] =>
  CLASSES[by].map(([name, colour]) => [name, colour]);

/** A colour variable of style.css. */
export const colourOf = (node: ColourableNode, by: ColourMode): string => CLASSES[by].find(([, , matches]) => matches(node))![1];
