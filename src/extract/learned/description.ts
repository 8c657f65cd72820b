// Made by `npm run learn:extract`: how far each sign speaks for a value of this field.
import type { Weights } from "../weigh.ts";

export const weights: Weights = {
  weights: {
    bias: -1,
    endsOpen: -0.35,
    holdsSite: -0.48,
    "says:lead": 0.83,
    "says:meta": 1.06,
    "says:og": 1.29,
    short: -0.22,
    "source:class:lead": -0.12,
    "source:dc.description": 0.18,
    "source:itemprop:description": -0.33,
    "source:ld:description": 0.01,
    "source:ld:other.description": -0.22,
    "source:meta:abstract": -0.04,
    "source:meta:description": 1.67,
    "source:microdata:description": 0.02,
    "source:microdata:other.description": -0.19,
    "source:og:description": 1.38,
    "source:p": -0.43,
    "source:p:later": -1.5,
    "source:p:long": -0.44,
    "source:sailthru.description": 0,
    "source:twitter:description": 0.01,
  },
  least: 0,
};
