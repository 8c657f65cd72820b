// Made by `npm run learn:extract`: how far each sign speaks for a value of this field.
import type { Weights } from "../weigh.ts";

export const weights: Weights = {
  weights: {
    bias: -0.96,
    endsOpen: -0.42,
    holdsSite: -0.42,
    "says:lead": 0.79,
    "says:meta": 1.1,
    "says:og": 1.24,
    short: -0.14,
    "source:class:lead": 0.01,
    "source:dc.description": 0.08,
    "source:itemprop:description": -0.2,
    "source:ld:description": 0,
    "source:ld:other.description": -0.23,
    "source:meta:abstract": -0.04,
    "source:meta:description": 1.6,
    "source:microdata:description": 0.04,
    "source:microdata:other.description": -0.2,
    "source:og:description": 1.41,
    "source:p": -0.44,
    "source:p:later": -1.52,
    "source:p:long": -0.5,
    "source:sailthru.description": 0,
    "source:twitter:description": 0,
  },
  least: 0,
};
