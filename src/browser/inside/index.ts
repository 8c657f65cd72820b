/** What runs inside pages. Each is turned to text, so that it may use nothing from outside itself, and answers with text. */
import { look } from "./look.ts";
import { forget, scrollDown, toTop } from "./scroll.ts";
import { serialise } from "./serialise.ts";

export { closeSockets, openShadows } from "./beforehand.ts";
export type { Look } from "./look.ts";
export type { SerialiseSetup } from "./serialise.ts";

const parts = { look, scrollDown, toTop, serialise, forget };
export type Inside = keyof typeof parts;

/** A program that runs one of them and answers with text. */
export const programOf = (part: Inside, given?: unknown): string => `(${parts[part]})(${JSON.stringify(given)})`;

/** A program that answers with all of them, by name. */
export const programsOf = (): string => `({ ${Object.entries(parts).map(([name, part]) => `${name}: ${part}`)} })`;
