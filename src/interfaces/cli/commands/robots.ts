import type { Command } from "commander";
import { typedUrl } from "../../../core/typed-url.ts";
import { robotsReport } from "../../../features/robots/robots.ts";
import { hasData } from "../../../store/index.ts";
import { openAnswer } from "../answer.ts";
import { addConfigFlags, loadConfig, newCommand } from "../command.ts";
import type { Globals } from "../globals.ts";
import { configFileOf, dbPathOf, paragraph, type Shell } from "../shell.ts";
import { printAccessNotices } from "./access.ts";
import { openData } from "./stored.ts";

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand(
    "robots",
    "What a site's robots.txt says to us: may this URL be visited, how fast, and which sitemaps there are.",
  ).argument("<url>", "a URL of the site", typedUrl);
  return addConfigFlags(command, "one URL").action(async (url: string, flags: Globals & Record<string, unknown>) => {
    const answer = openAnswer(shell, flags, "one");
    const file = await configFileOf(flags, shell);
    const config = loadConfig(flags, shell, file, [url]);
    const seed = { url, namedBy: "person" } as const;
    printAccessNotices(config, [seed], flags, shell, file);
    const db = dbPathOf(flags, shell, file);
    // The data file has the host's pace and its robots.txt, but this command does not create one.
    const app = await openData((await hasData(db)) ? db : ":memory:", flags, shell, file);
    try {
      const report = await robotsReport(app, { ...seed, config });
      const lines = [
        `${report.allowed ? "allowed" : "not allowed"}: ${report.url}`,
        `  by ${report.robotsUrl}${report.isStored ? ` (stored ${report.fetchedAt})` : ""}, read as ${report.agent}`,
        ...(report.rule ? [`  rule: ${report.rule}`] : []),
        ...(report.why ? [`  because ${report.why}`] : []),
        ...(report.crawlDelayMs === null ? [] : [`  Crawl-delay: ${report.crawlDelayMs / 1000} s`]),
        ...report.sitemaps.map((sitemap) => `  sitemap: ${sitemap}`),
      ];
      await answer({ document: report, text: paragraph(lines) });
    } finally {
      await app.close();
    }
  });
}
