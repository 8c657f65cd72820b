/** Functions that run inside pages. Each is converted to source text, so it must be self-contained and return text. */
import { look } from "./look.ts";
import { forget, scrollDown, toTop } from "./scroll.ts";
import { serialise } from "./serialise.ts";

export { disableSockets, openShadowRoots } from "./init-scripts.ts";
export type { PageState } from "./look.ts";
export type { SerialiseSetup } from "./serialise.ts";

const parts = { look, scrollDown, toTop, serialise, forget };
export type PageFunction = keyof typeof parts;

/** A program that runs one of the functions and returns its text. */
export const programOf = (part: PageFunction, given?: unknown): string => `(${parts[part]})(${JSON.stringify(given)})`;

/** A program that returns all functions by name. */
export const programsOf = (): string => `({ ${Object.entries(parts).map(([name, part]) => `${name}: ${part}`)} })`;
