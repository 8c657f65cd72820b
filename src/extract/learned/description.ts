// Made by `npm run learn:extract`: how far each sign speaks for a value of this field.
import type { Weights } from "../weigh.ts";

export const weights: Weights = {
  weights: {
    bias: -0.93,
    endsOpen: -0.37,
    holdsSite: -0.44,
    "says:lead": 0.79,
    "says:meta": 1.02,
    "says:og": 1.25,
    short: -0.14,
    "source:class:lead": -0.01,
    "source:dc.description": 0.17,
    "source:itemprop:description": -0.21,
    "source:ld:description": 0.01,
    "source:ld:other.description": -0.23,
    "source:meta:abstract": -0.04,
    "source:meta:description": 1.63,
    "source:microdata:description": 0.01,
    "source:microdata:other.description": -0.21,
    "source:og:description": 1.35,
    "source:p": -0.44,
    "source:p:later": -1.52,
    "source:p:long": -0.52,
    "source:sailthru.description": 0,
    "source:twitter:description": 0,
  },
  least: 0,
};
