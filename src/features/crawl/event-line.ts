import type { CrawlEvent } from "../../engine/crawl/index.ts";
import { escapeJsonControls } from "../../engine/formats/index.ts";

export type LogFormat = "pretty" | "json";

/** Events that are written to a log. */
export type Logged = Extract<CrawlEvent, { type: "url.settled" | "link.heard" }>;

export const isLogged = (event: CrawlEvent): event is Logged => event.type === "url.settled" || event.type === "link.heard";

/** One line without its line end. It contains text from the web: the caller makes it safe for a terminal. */
export function eventLine(event: Logged, format: LogFormat, at: Date): string {
  if (format === "json") return escapeJsonControls(JSON.stringify({ at: at.toISOString(), ...event }));
  const [word, why] = event.type === "link.heard" ? ["link", event.fate] : [event.verdict, event.rule === "" ? event.reason : event.rule];
  return `${at.toTimeString().slice(0, 8)} ${word.padEnd(12)} ${event.url}${why === "ok" ? "" : `  ${why}`}`;
}

/** The same for a message. */
export const messageLine = (type: string, message: string, format: LogFormat, at: Date): string =>
  format === "json" ? escapeJsonControls(JSON.stringify({ at: at.toISOString(), type, message })) : message;
