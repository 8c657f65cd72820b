import { relative } from "node:path";
import { withoutPassword } from "../store/index.ts";
import { quotedArg, type Shell } from "./shell.ts";

const TRIED = new Set(["--dry-run", "--no-input", "--append"]);
/** The output file of a dry run is not the one for pages. */
const PLACES = new Set(["-o", "--output", "-O", "--replace"]);
const SECRETS = new Set(["--header", "--auth", "--proxy"]);

/** The same command without --dry-run. Secrets are left out as "…". */
export function inEarnest(args: readonly string[], { home, cwd }: Shell): string {
  const words = args.flatMap((arg) => /^(--[\w-]+)=(.*)$/s.exec(arg)?.slice(1) ?? [arg]);
  const kept: string[] = home === undefined ? [] : ["--cwd", quotedArg(relative(home, cwd))];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (TRIED.has(word)) continue;
    if (PLACES.has(word)) at += 1;
    else if (SECRETS.has(word)) {
      kept.push(word, "…");
      at += 1;
    } else kept.push(quotedArg(withoutPassword(word).replace(/^(https?:\/\/)[^/?#]*@/i, "$1")));
  }
  return ["nuthatch crawl", ...kept].join(" ");
}
