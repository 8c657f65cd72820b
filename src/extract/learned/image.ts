// Made by `npm run learn:extract`.
import type { Weights } from "../weigh.ts";

export const weights: Weights = { weights: {}, least: 0 };
