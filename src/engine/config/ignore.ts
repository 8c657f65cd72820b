import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { patternProblem } from "./check.ts";
import { foldersUpward, IGNORE_FILE, refuseUnsafeFile } from "./find.ts";
import type { Layer } from "./resolve.ts";
import { SetupError } from "./setup-error.ts";

/** Patterns of the nearest .nuthatchignore, added to the other exclusions. Does not search above the folder of the config file. */
export function ignoreLayers(from: string, configFolder: string | undefined): Layer[] {
  for (const folder of foldersUpward(from)) {
    const path = join(folder, IGNORE_FILE);
    const written = readIfThere(path);
    if (written !== undefined) {
      refuseUnsafeFile(path, from);
      const name = relative(from, path);
      const lines = patternsIn(written, name);
      const exclude = lines.map(({ pattern }) => pattern);
      const excludeFrom = Object.fromEntries(lines.toReversed().map(({ pattern, line }) => [pattern, `${name}, line ${line}`]));
      return exclude.length === 0 ? [] : [{ from: name, values: { exclude, excludeFrom }, isAdded: true }];
    }
    if (configFolder !== undefined && folder === resolve(from, configFolder)) return [];
  }
  return [];
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new SetupError(`cannot read ${path}`, "check its permissions, or take it away", { cause });
  }
}

function patternsIn(written: string, name: string): { readonly pattern: string; readonly line: number }[] {
  return written
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line, index) => {
      const pattern = line.trim();
      if (pattern === "" || pattern.startsWith("#")) return [];
      if (pattern.startsWith("!"))
        throw new SetupError(`${name}, line ${index + 1}: nothing can be let in again with !`, "write narrower patterns, or use include");
      const problem = patternProblem(pattern);
      if (problem) throw new SetupError(`${name}, line ${index + 1}: ${problem.message}`, problem.hint);
      return [{ pattern, line: index + 1 }];
    });
}
