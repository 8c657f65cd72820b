import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SetupError } from "./setup-error.ts";

export const endings = ["ts", "mts", "js", "mjs", "json", "yaml", "yml"] as const;
const NAMES = endings.map((ending) => `nuthatch.config.${ending}`);

/** Config files in this folder itself. */
export const configFilesIn = (folder: string): string[] => NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path));

/** The nearest config file, looking in this folder and then upward. */
export function findConfigFile(from: string): string | undefined {
  for (const folder of upward(from)) {
    const [found, other] = configFilesIn(folder);
    if (other !== undefined)
      throw new SetupError(
        `there are two config files in ${folder}`,
        `keep one, or name one: -c ${basename(found!)}, or ${basename(other)}`,
      );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** This folder, its parent, and so on to the root. */
export function* upward(from: string): Generator<string> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}
