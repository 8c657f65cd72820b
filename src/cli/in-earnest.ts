import { relative } from "node:path";
import { withoutPassword } from "../store/index.ts";
import { quotedArg, type Shell } from "./shell.ts";

const TRIED = new Set(["--dry-run", "--no-input", "--append"]);
/** Where the answer of a dry run goes is no place for pages. */
const PLACES = new Set(["-o", "--output", "-O", "--replace"]);
const SECRETS = new Set(["--header", "--auth", "--proxy"]);

/** The command that was tried, as it is given in earnest. Where a secret stood, there is a gap to fill. */
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
