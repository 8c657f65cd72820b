import { z } from "zod";
import { givenHost } from "../../analysis/url/index.ts";
import { duration, MAX_TIMER_MS, rate, textAs } from "../../core/units.ts";

const weight = (fallback: number, about: string) => z.number().min(0).max(1000).default(fallback).describe(about);

export const PriorityOptions = z
  .strictObject({
    type: weight(3, "Weight of the kind of page: home, article, product, other"),
    freshness: weight(2, "Weight of how recently the page says it changed"),
    shallowness: weight(2, "Weight of being near: few clicks and a short path"),
    inbound: weight(1, "Weight of how many pages link to it"),
    relevance: weight(2, "Weight of keyword relevance: where keywords are given it goes before all others, unless it is 0"),
    hosts: z
      .record(textAs(givenHost, "a host such as example.org or example.org:8080"), z.number().int().min(0))
      .default({})
      .describe("Host groups: hosts of a lower number go first; a host without a port stands for all its ports"),
  })
  .describe("Weights of the priority factors, and host groups");

export const FrontierOptions = z.object({
  rateLimit: rate().prefault("1/s").describe("Requests per host: 1/s, 30/m, none"),
  maxConcurrent: z.number().int().min(1).max(10_000).default(3).describe("Requests in flight in total"),
  autoSlow: z.enum(["on", "off"]).default("on").describe("Slow down for hosts that answer slowly"),
  retries: z.number().int().min(0).max(10).default(2).describe("Times to ask again for what may heal"),
  order: z.enum(["best", "breadth", "depth"]).default("best").describe("What to visit first"),
  priority: PriorityOptions.prefault({}).meta({ examples: ['{"freshness":5}'] }),
  maxWait: duration({ max: MAX_TIMER_MS })
    .prefault("5m")
    .describe("Stop as deferred when nothing has answered for so long, or will, because every host must wait"),
  seed: z
    .number()
    .int()
    .default(1)
    .describe(
      "Seed of the random choice between queues; which pages are known at that moment still depends on how fast they are answered and read",
    ),
});

export type FrontierOptions = z.infer<typeof FrontierOptions>;
