// Part of `npm run lint`: names and comments use the words of GLOSSARY.md. Prints each place that does not.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Words that names had once, and what to write instead. */
const names = [
  [/\b(?:MOST|FEWEST|LEAST|LONGEST|SHORTEST)(?:_[A-Z\d_]+)?\b/, "MAX_… or MIN_…"],
  [/\bPATIENCE\b/, "TIMEOUT or MAX_WAIT"],
  [/[a-z]Shelf\b|\bshelf\b/, "…Store"],
  [/\b(?:Household|Leash|Crew|Ears|Wishes|Strays?|Doomed|Doors)\b/, "the usual word for it"],
  [/\b(?:heed|unheard|unhear|bury|isUnloved)\b|\b(?:hear|heed)(?!Again)[A-Z]\w*\(/, "a verb such as add, read, watch, end"],
];
const comments = [
  [/\b[Ww]ho(?:so)?ever\b/, "who is meant, such as the caller or the user"],
  [/\bnobody knows\b|\bsomebody\b/, "who is meant"],
  [/^\s*(?:\*|\/\/)\s*(?:Of what|To whom|However (?:un)?likely)\b/, "a sentence that begins with its subject"],
];

/** Names of the public interface, which stay. */
const KEPT = new Set(["src/analysis/url/trap-guard.ts", "src/analysis/score/focus.ts"]);

const isComment = (line) => /^\s*(?:\*|\/\/|\/\*)/.test(line);

const withoutStrings = (line) => line.replace(/(["'`]).*?\1/g, "");

let found = 0;
for (const file of readdirSync("src", { recursive: true, encoding: "utf8" })) {
  const path = join("src", file);
  if (!/\.tsx?$/.test(file) || /\.test\.|learned\//.test(file) || KEPT.has(path)) continue;
  for (const [at, line] of readFileSync(path, "utf8").split("\n").entries()) {
    const text = isComment(line) ? line : withoutStrings(line);
    for (const [pattern, better] of isComment(line) ? comments : names) {
      const word = pattern.exec(text)?.[0];
      if (word === undefined) continue;
      found += 1;
      console.error(`${path}:${at + 1}: “${word.trim()}”: write ${better}`);
    }
  }
}
if (found > 0) {
  console.error(`${found} places. GLOSSARY.md has the words.`);
  process.exitCode = 1;
}
