// Made by `npm run learn:extract`: how far each sign speaks for a value of this field.
import type { Weights } from "../weigh.ts";

export const weights: Weights = {
  weights: {
    bias: -1.79,
    endsOpen: -0.29,
    holdsAddress: -0.43,
    holdsSite: -0.37,
    onText: 0.98,
    "says:lead": 0.75,
    "says:meta": 1.06,
    "says:og": 1.23,
    short: 0.12,
    "source:class:lead": 0.05,
    "source:dc.description": 0.09,
    "source:itemprop:description": -0.2,
    "source:ld:description": 0.02,
    "source:ld:other.description": -0.18,
    "source:meta:abstract": -0.02,
    "source:meta:description": 1.66,
    "source:microdata:description": -0.01,
    "source:microdata:other.description": -0.18,
    "source:og:description": 1.44,
    "source:p": -0.47,
    "source:p:later": -1.62,
    "source:p:long": -0.6,
    "source:sailthru.description": 0,
    "source:twitter:description": 0.02,
  },
  least: 0,
};
