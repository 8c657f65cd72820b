import type { Command } from "commander";
import type { Via } from "../../../core/records.ts";
import { typedUrl } from "../../../core/typed-url.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { hintFor } from "../../../features/crawl/crawl.ts";
import { explain } from "../../../features/explain/explain.ts";
import { openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import type { Globals } from "../globals.ts";
import { paragraph, type Shell } from "../shell.ts";
import { wholeNumberParser } from "../whole-number.ts";
import { withStored } from "./stored.ts";

export function build(shell: Shell, _exit: (code: number) => void): Command {
  return newCommand("explain", "Why was this URL crawled, or not? The verdict, the rule behind it, and how we came to hear of it.")
    .argument("<url>", "the URL, as you would type it", typedUrl)
    .option("--run <n>", "in this run (default: the latest that heard of it)", wholeNumberParser("--run"))
    .action(async (url: string, flags: Globals & { run?: number }) => {
      if (!URL.canParse(url)) throw new SetupError(`"${url}" is no whole URL`, hintFor(url));
      const answer = openAnswer(shell, flags, "one");
      await withStored(flags, shell, async (app) => {
        const explanation = await explain(app, { url, run: flags.run });
        const { decision } = explanation;
        const lines = [
          explanation.url,
          `  ${explanation.sentence}`,
          ...(explanation.chain.length > 1 ? [`  found by: ${explanation.chain.join(" → ")}`] : []),
          ...(decision ? [`  depth ${decision.depth}, ${discoveryText(decision)}, reason ${explanation.reason}`] : []),
        ];
        await answer({ document: explanation, text: paragraph(lines) });
      });
    });
}

/** How the URL was found first. For links the ledger only shows whether there was more than one. */
const foundBy: Partial<Record<Via, string>> = { seed: "given as a seed", sitemap: "listed in a sitemap", redirect: "led to by a redirect" };

function discoveryText({ via, mentions }: { readonly via: Via; readonly mentions: number }): string {
  const first = foundBy[via] ?? (mentions > 1 ? undefined : "linked once");
  if (first === undefined) return `linked ${mentions} times or more`;
  return mentions > 1 ? `${first} and linked besides` : first;
}
