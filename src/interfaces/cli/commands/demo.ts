import type { Command } from "commander";
import { startDemoWeb } from "../../../../test/site/index.ts";
import { seedsBy } from "../../../core/seed.ts";
import { type App, openApp } from "../../../engine/app.ts";
import { resolveConfig } from "../../../engine/config/index.ts";
import { printable } from "../../../engine/telemetry/index.ts";
import { summaryOf } from "../../../features/changes/change-words.ts";
import { changes, type PageNews } from "../../../features/changes/changes.ts";
import { crawl } from "../../../features/crawl/crawl.ts";
import { newCommand } from "../command.ts";
import { watch } from "../crawl/watch.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { checkLog } from "../log.ts";
import { planOutput } from "../output.ts";
import { configFileOf, dbFlag, dbPathOf, dbSeenFrom, type Shell, write } from "../shell.ts";

const MAX_SHOWN = 8;

export function build(shell: Shell, exit: (code: number) => void): Command {
  return newCommand("demo", "Start the small town of Sittaford on loopback, crawl it, let a week pass there, and crawl it again.").action(
    async (flags: Globals) => {
      planOutput(flags);
      checkLog(flags);
      const db = dbPathOf(flags, shell, await configFileOf(flags, shell));
      const app = await openApp({ db });
      const web = await startDemoWeb();
      const print = (text: string) => (flags.quiet ? Promise.resolve() : write(shell.stderr, `${text}\n`));
      try {
        // The demo site is our own, so the rate limit is raised; everything else has its default.
        const values = { rateLimit: "20/s", maxConcurrent: 8 };
        const config = resolveConfig([{ from: "demo", values }]);
        const visit = (given: Globals) =>
          watch({ app, db, shell, flags: given }, (how) =>
            crawl(app, { seeds: seedsBy("person", web.seeds), config, mode: "new", ...how }),
          );
        await print("Sittaford is a town of five small web servers on this machine. First visit:\n");
        const first = await visit({ ...flags, json: false });
        if (first !== exitCodes.ok) return exit(first);
        web.next();
        await print("\nA week passes in Sittaford. Second visit:\n");
        exit(await visit(withAppend(flags)));
        const [run] = await app.store.runs({ limit: 1 });
        const { pages } = await changes(app);
        const more = pages.length - MAX_SHOWN;
        const rest = more > 0 ? [`  and ${more} more: nuthatch changes`] : [];
        await print(`\nWhat changed:\n${[...pages.slice(0, MAX_SHOWN).flatMap(linesOf), ...rest].join("\n")}`);
        await print(nextSteps(await disallowedUrl(app, run!.id), dbSeenFrom(shell, db)));
      } finally {
        await app.close();
        await web.close();
      }
    },
  );
}

const INDENT = " ".repeat(11);
const MAX_TEXT_LENGTH = 100;

/** A page, its change, and the first text that was removed and added. */
function linesOf(news: PageNews): string[] {
  const { change, url, diff } = news;
  const [hunk] = diff?.text ?? [];
  const examples = [
    ...(hunk?.removed.slice(0, 1).map((block) => `- ${block}`) ?? []),
    ...(hunk?.added.slice(0, 1).map((block) => `+ ${block}`) ?? []),
  ];
  const line = [printable(url), printable(summaryOf(news))].filter(Boolean).join("  ");
  return [`  ${change.padEnd(8)} ${line}`, ...examples.map((each) => INDENT + printable(cut(each)))];
}

const cut = (text: string) => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);

/** With -o, the pages of the second visit are appended to those of the first. */
function withAppend({ replace, ...flags }: Globals): Globals {
  const path = replace ?? flags.output;
  return path === undefined ? flags : { ...flags, output: path, append: true };
}

/** A URL that robots.txt disallows, as an example for `explain`. */
async function disallowedUrl(app: App, runId: number): Promise<string> {
  for await (const { reason, url } of app.store.decisions({ runId })) if (reason === "robots.disallow") return url;
  return "<url>";
}

function nextSteps(disallowed: string, db: string): string {
  const file = dbFlag(db);
  return `
Try next:
  nuthatch pages${file}
  nuthatch explain ${disallowed}${file}
  nuthatch changes --diff${file}
  nuthatch crawl https://example.org          (a site of your choice, once a second)`;
}
