/** What the API answers, field by field: the types of our records as schemas that OpenAPI can tell. */
import { z } from "zod";
import { runStates } from "../store/index.ts";

export const Id = z.coerce.number().int().positive();
export const Time = z.iso.datetime();

/** A number, or its `uid`. */
export const SiteId = z
  .string()
  .regex(/^(\d{1,15}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/)
  .describe("Its number or `uid`.");
export const Whole = z.number().int();
export const Url = z.string().max(8000);
export const Change = z.enum(["new", "changed", "same", "gone", "unlinked", "unknown"]);
export const Verdict = z.enum(["ok", "soft-404", "bot-wall", "consent-wall", "login-wall", "script-shell", "parked"]);
export const Via = z.enum(["seed", "link", "redirect", "refresh", "canonical", "sitemap", "probe", "due"]);
export const Score = z.number().min(0).max(2);
export const Keyword = z.object({ word: z.string(), weight: z.number().min(0).max(1) }).meta({ id: "Keyword" });
export const Counts = z.record(z.string(), Whole);

export const RunStatus = z
  .enum([...runStates, "paused"])
  .describe(
    "stopped: somebody asked for it. limit: at --max-pages, --max-time or --max-bytes. deferred: its hosts have to wait. failed: no page came, or an error of ours. died: its process ended without a word.",
  );

export const RunSummary = z
  .object({
    id: z.number().int(),
    uid: z.string(),
    status: RunStatus,
    stopReason: z.string().nullable(),
    startedAt: Time,
    endedAt: Time.nullable(),
    seeds: z.array(z.string()),
    sites: z.array(z.object({ id: z.number().int(), uid: z.string(), url: z.string() })),
    counters: z.record(z.string(), z.unknown()),
    links: z.object({ self: z.string(), events: z.string() }),
  })
  .meta({ id: "Crawl" });
