/** What runs inside pages. Each is turned to text, so that it may use nothing from outside itself, and answers with text. */
export type { Look } from "./look.ts";
export { look } from "./look.ts";
export { scrollDown, toTop } from "./scroll.ts";
export { type SerialiseSetup, serialise } from "./serialise.ts";
export { openShadows } from "./shadows.ts";

/** A program to be run in a page, which answers with text. */
export const programOf = (part: (given: never) => string, given?: unknown): string => `(${part})(${JSON.stringify(given)})`;
