import { z } from "zod";

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
});
export type BrowserOptions = z.infer<typeof BrowserOptions>;
