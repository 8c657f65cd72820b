import { z } from "zod";
import type { Route } from "../route.ts";
import { Id } from "../shapes/shapes.ts";
import { eventTypes } from "../shapes/shapes-event.ts";

const query = z.object({
  types: z
    .string()
    .max(500)
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(eventTypes)))
    .optional()
    .describe(`Only events of these types, separated by commas: ${eventTypes.join(", ")}.`)
    .meta({ type: "string" }),
  after: z
    .string()
    .max(4000)
    .optional()
    .describe("The id of the last event heard, where no `Last-Event-ID` can be sent; 0 for all of a run."),
});

const answers = {
  200: {
    about: "A stream of events. An event with an id is a settled outcome and is told again to whoever missed it",
    types: ["text/event-stream"],
  },
  204: { about: "The run has ended, and its end was told" },
};

export const eventRoutes: readonly Route[] = [
  {
    id: "crawlEvents",
    method: "GET",
    path: "/crawls/{id}/events",
    tag: "Events",
    scope: "read",
    summary: "What happens in a run, as it happens (SSE)",
    params: z.object({ id: Id }),
    query,
    at: "events",
    answers,
    problems: ["not-found"],
  },
  {
    id: "allEvents",
    method: "GET",
    path: "/events",
    tag: "Events",
    scope: "read",
    summary: "What happens in all runs and jobs (SSE)",
    query,
    at: "events",
    answers: { 200: answers[200] },
  },
];
