/** Runs and hosts, as the API returns them. */
import { z } from "zod";
import { CounterShape, RunSummary, Time } from "../shapes/shapes.ts";

const cause = z.enum(["rate", "crawl-delay", "retry-after", "slow", "backoff", "paused"]);

export const hostStates = ["ok", "slowed", "deferred", "paused"] as const;

export const LiveSummary = z
  .object({
    counters: CounterShape,
    queued: z.int(),
    inFlight: z.int(),
    isPaused: z.boolean(),
    perMinute: z.number().describe("Pages in the last minute."),
    etaMs: z.number().nullable().describe("As far as it can be told."),
    phase: z.string(),
    hosts: z.array(
      z.object({
        host: z.string(),
        queued: z.int(),
        inFlight: z.int(),
        done: z.int(),
        nextInMs: z.number(),
        delayMs: z.number(),
        cause,
        failures: z.int().describe("In a row."),
      }),
    ),
  })
  .meta({ id: "LiveCrawl" });

export const RunDetails = RunSummary.extend({
  options: z.record(z.string(), z.unknown()),
  seq: z.int().describe("URLs that have had their turn: the place of the last event."),
  live: LiveSummary.nullable().describe("How it stands at this moment, if it is at work here."),
}).meta({ id: "CrawlDetails" });

export const SampleRow = z
  .object({
    at: Time,
    pages: z.int(),
    queued: z.int(),
    inFlight: z.int(),
    bytes: z.int(),
    status: z.record(z.string(), z.int()).describe("Answers by class, counted from the beginning."),
    failed: z.int(),
    p50: z.number().nullable().describe("Milliseconds an answer took, in the middle."),
    p95: z.number().nullable(),
  })
  .meta({ id: "Sample" });

const hostSettings = {
  pausedUntil: Time.nullable().describe("Nothing is asked of it before, because somebody said so."),
  rate: z
    .number()
    .nullable()
    .describe("Requests a second at most, because somebody said so; where a run or the host is slower, that holds."),
};

export const HostRow = z
  .object({
    host: z.string(),
    queued: z.int(),
    inFlight: z.int(),
    done: z.int().nullable().describe("null: not counted, of a large run at work."),
    failed: z.int().nullable().describe("null: not counted, of a large run at work."),
    failures: z.int().describe("In a row."),
    delayMs: z.number(),
    cause: cause.describe("Why it is not asked sooner."),
    nextInMs: z.number(),
    nextAt: Time,
    state: z.enum(hostStates),
    worker: z.string().nullable().describe("The id of the worker that holds it, where several share a database."),
    ...hostSettings,
  })
  .meta({ id: "Host" });

/** Pace and pause that people have set for a host. */
export const HostSettings = z
  .object({
    host: z.string(),
    ...hostSettings,
    waitsUntil: Time.nullable().describe("It may not be asked before; null: it need not wait."),
    waitsSince: Time.nullable(),
    cause: cause.nullable().describe("Why it waits."),
    failures: z.int().describe("In a row, where it waits because of them."),
  })
  .meta({ id: "HostSaid" });
