// Made by `npm run learn:extract`: how far each sign speaks for a title.
import type { Weights } from "../weigh.ts";

export const weights: Weights = { weights: { "source:h1": 1, "source:og:title": 0.5 }, least: 0 };
