import { z } from "zod";
import { parseProgram } from "./parse-program.ts";

export const BrowserOptions = z.object({
  render: z
    .enum(["never", "auto", "always"])
    .default("never")
    .describe("Show pages to a browser: never, auto (only those that say more there) or always"),
  engines: z
    .array(z.enum(["chromium", "firefox", "webkit"]))
    .min(1)
    .default(["chromium", "firefox", "webkit"])
    .describe("Browser engines in the order they are tried; the one that works for a host is kept"),
  browser: z
    .array(z.string().refine((text) => parseProgram(text) !== undefined, "write <engine>=<path>, as in chromium=/usr/bin/chromium"))
    .default([])
    .describe("Program of an engine, chromium=/path/to/it, instead of the one that is found; for webkit its WebKitWebDriver")
    .meta({ kept: false, path: true, examples: ["chromium=/usr/bin/chromium"] }),
});
export type BrowserOptions = z.infer<typeof BrowserOptions>;
