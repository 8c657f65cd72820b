import { relative } from "node:path";
import { withoutPassword } from "../../store/index.ts";
import { quotedArg, type Shell } from "./shell.ts";

const DRY_RUN_FLAGS = new Set(["--dry-run", "--no-input", "--append"]);
/** The output file of a dry run is not the one for pages. */
const OUTPUT_FLAGS = new Set(["-o", "--output", "-O", "--replace"]);
const SECRET_FLAGS = new Set(["--header", "--auth", "--proxy"]);

/** The same command without --dry-run. Secrets are left out as "…". */
export function commandWithoutDryRun(args: readonly string[], { home, cwd }: Shell): string {
  const words = args.flatMap((arg) => /^(--[\w-]+)=(.*)$/s.exec(arg)?.slice(1) ?? [arg]);
  const kept: string[] = home === undefined ? [] : ["--cwd", quotedArg(relative(home, cwd))];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (DRY_RUN_FLAGS.has(word)) continue;
    if (OUTPUT_FLAGS.has(word)) at += 1;
    else if (SECRET_FLAGS.has(word)) {
      kept.push(word, "…");
      at += 1;
    } else kept.push(quotedArg(withoutPassword(word).replace(/^(https?:\/\/)[^/?#]*@/i, "$1")));
  }
  return ["nuthatch crawl", ...kept].join(" ");
}
