/** Names of a block's signs, group by group, in the order in which they are written. */
import { markNames } from "./marks.ts";
import { pageSignNames } from "./page-signs.ts";
import { phraseNames } from "./phrases.ts";

export const kinds: readonly (readonly string[])[] = [["h2"], ["h3", "h4", "h5", "h6"], ["li"], ["pre"], ["dt", "dd"], ["div"]];

export const textNames = ["words", "wordLength", "linkRatio", "links", "commas", "stops", "digits", "capitals", "endsSentence", "twins"];
export const boxNames = [
  "box0Links",
  "box0Share",
  "box1Links",
  ...[2, 3].flatMap((box) => ["Chars", "Links", "Mean", "Share"].map((name) => `box${box}${name}`)),
];
export const placeNames = [
  ...["place", "charPlace", "sinceTitle", "charsSinceTitle", "depth"],
  ...["centreUp", "centreDown", "coreUp", "coreDown", "beforeCentre", "afterCentre", "beforeCore", "afterCore"],
];
export const headNames = ["sinceHead", "headRank", "headMore", "headComment", "headLinked"];
export const lookNames = ["lookCount", "lookChars", "lookMean", "lookLinks", "alike", "alikeUp", "alikeMean", "alikeLinks"];
/** Offsets of the neighbouring blocks whose length, links and look are signs. */
export const [charsAt, linksAt, lookAt] = [
  [-2, -1, 1, 3],
  [-1, 1],
  [1, 2],
];
export const nearbyNames = [...charsAt.map((by) => `chars${by}`), ...linksAt.map((by) => `links${by}`), ...lookAt.map((by) => `look${by}`)];
export const windows = [4, 10];

export const signNames: readonly string[] = [
  ...textNames,
  ...phraseNames.map((name) => `says:${name}`),
  ...kinds.map(([name]) => `is:${name}`),
  ...markNames.map((name) => `near:${name}`),
  ...boxNames,
  ...placeNames,
  ...headNames,
  ...lookNames,
  ...nearbyNames,
  ...windows.map((width) => `window${width}Links`),
  ...["isDescription", "inBody"],
  ...pageSignNames,
];
