import type { Command } from "commander";
import { explain } from "../operations/explain.ts";
import { typedUrl } from "../typed-url.ts";
import { openAnswer } from "./answer.ts";
import { newCommand } from "./command.ts";
import { wholeNumber } from "./fields.ts";
import type { Globals } from "./globals.ts";
import { paragraph, type Shell } from "./shell.ts";
import { withStored } from "./stored.ts";

export function build(shell: Shell, _exit: (code: number) => void): Command {
  return newCommand("explain", "Why was this URL crawled, or not? The verdict, the rule behind it, and how we came to hear of it.")
    .argument("<url>", "the URL, as you would type it", typedUrl)
    .option("--run <n>", "in this run (default: the latest that heard of it)", wholeNumber("--run"))
    .action(async (url: string, flags: Globals & { run?: number }) => {
      const answer = openAnswer(shell, flags, "one");
      await withStored(flags, shell, async (app) => {
        const explanation = await explain(app, { url, run: flags.run });
        const { decision } = explanation;
        const lines = [
          explanation.url,
          `  ${explanation.sentence}`,
          ...(explanation.chain.length > 1 ? [`  found by: ${explanation.chain.join(" → ")}`] : []),
          ...(decision
            ? [
                `  depth ${decision.depth}, named by ${decision.mentions > 1 ? `${decision.mentions} or more links` : "one link"}, reason ${explanation.reason}`,
              ]
            : []),
        ];
        await answer({ document: explanation, text: paragraph(lines) });
      });
    });
}
