// Made by `npm run learn:extract`: how far each sign speaks for a value of this field.
import type { Weights } from "../weigh.ts";

export const weights: Weights = {
  weights: {
    bias: -0.94,
    endsOpen: -0.31,
    holdsSite: -0.46,
    "says:lead": 0.81,
    "says:meta": 1.03,
    "says:og": 1.25,
    short: -0.13,
    "source:class:lead": -0.02,
    "source:dc.description": 0.17,
    "source:itemprop:description": -0.21,
    "source:ld:description": 0,
    "source:ld:other.description": -0.23,
    "source:meta:abstract": -0.04,
    "source:meta:description": 1.65,
    "source:microdata:description": 0.01,
    "source:microdata:other.description": -0.2,
    "source:og:description": 1.35,
    "source:p": -0.49,
    "source:p:later": -1.53,
    "source:p:long": -0.48,
    "source:sailthru.description": 0,
    "source:twitter:description": 0,
  },
  least: 0.15,
};
