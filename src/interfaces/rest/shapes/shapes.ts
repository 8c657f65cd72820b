/** Schemas of the records the API returns, for OpenAPI. */
import { z } from "zod";
import { stopReasons } from "../../../core/records.ts";
import { typedUrl } from "../../../core/typed-url.ts";
import { runStates } from "../../../store/index.ts";

export const Id = z.coerce.number().int().positive();
export const Time = z.iso.datetime();

/** The id or the `uid` of a site. */
export const SiteId = z
  .string()
  .regex(/^(\d{1,15}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/)
  .describe("Its number or `uid`.")
  // So that generated clients also accept the number.
  .meta({ type: ["integer", "string"] });
export const WholeNumber = z.number().int();
export const Url = z.string().max(8000);
/** URL filter of lists. Refuses text that is not a URL: it would return an empty list as if nothing were stored. */
export const UrlFilter = Url.refine(
  (text) => /^https?:\/\//i.test(typedUrl(text)) && URL.canParse(typedUrl(text)),
  "this takes an http or https URL",
);
export const Change = z.enum(["new", "changed", "same", "gone", "unlinked", "unknown"]);
export const Verdict = z.enum(["ok", "soft-404", "bot-wall", "consent-wall", "login-wall", "script-shell", "parked"]);
export const Via = z.enum(["seed", "link", "redirect", "refresh", "canonical", "sitemap", "probe", "due"]);
export const Score = z.number().min(0).max(2);
export const Keyword = z.object({ word: z.string(), weight: z.number().min(0).max(1) }).meta({ id: "Keyword" });
export const Counts = z.record(z.string(), WholeNumber);

/** Why a run ended. */
export const StopReason = z.enum(stopReasons).nullable().describe("finished: it saw everything. Null: it is at work, or nobody knows.");

/** Counters of a run. */
export const CounterShape = z
  .looseObject({
    pages: WholeNumber.describe("Pages with a body, or that had not changed."),
    fetched: WholeNumber,
    notModified: WholeNumber,
    redirects: WholeNumber,
    errors: WholeNumber.describe("URLs that failed for good: gone, refused and failed together."),
    gone: WholeNumber.describe("Not found (404, 410)."),
    refused: WholeNumber.describe("The server said no (401, 403, 429)."),
    failed: WholeNumber.describe("No answer, a server error, or an answer that cannot be read."),
    moved: WholeNumber.optional().describe("Of the changed ones, pages that redirect elsewhere now."),
    bytes: WholeNumber,
    changes: Counts.describe("Pages by what became of them: new, changed, same, gone, unlinked, unknown."),
    skipped: Counts.describe("URLs by the reason that kept them out."),
    status: Counts.describe("Answers by class."),
    stillUnlinked: WholeNumber.optional(),
    scripted: WholeNumber,
    looksAgain: WholeNumber.describe("Second looks at pages that differed, to tell what changes by itself."),
    links: z
      .object({ matched: WholeNumber, high: WholeNumber, new: WholeNumber, highNew: WholeNumber })
      .optional()
      .describe("Where there are keywords."),
    rendering: z.object({ shown: WholeNumber, pages: Counts, failed: Counts }).optional().describe("Where browsers were asked."),
  })
  .meta({ id: "Counters" });

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
    stopReason: StopReason,
    startedAt: Time,
    endedAt: Time.nullable(),
    seeds: z.array(z.string()),
    sites: z.array(z.object({ id: z.number().int(), uid: z.string(), url: z.string() })),
    counters: CounterShape,
    links: z.object({ self: z.string(), events: z.string() }),
  })
  .meta({ id: "Crawl" });
