import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { unsafeReasonAt } from "../../core/file-owner.ts";
import { SetupError } from "./setup-error.ts";

export const IGNORE_FILE = ".nuthatchignore";

const code = ["ts", "mts", "js", "mjs"] as const;
export const extensions = [...code, "json", "yaml", "yml"] as const;
const NAMES = extensions.map((ending) => `nuthatch.config.${ending}`);

const isCode = (path: string) => code.some((ending) => extname(path) === `.${ending}`);

/** Config files in this folder. */
export const configFilesIn = (folder: string): string[] => NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path));

/** The nearest config file in this folder or above. Throws if another user could have written it. */
export function findConfigFile(from: string): string | undefined {
  for (const folder of foldersUpward(from)) {
    const [found, other] = configFilesIn(folder);
    if (other !== undefined)
      throw new SetupError(
        `there are two config files in ${folder}`,
        `keep one, or name one: -c ${basename(found!)}, or ${basename(other)}`,
      );
    if (found === undefined) continue;
    refuseUnsafeFile(found, from);
    return found;
  }
  return undefined;
}

/** This folder and its parents, up to the project root or the user's home folder, whichever comes first. */
export function* foldersUpward(from: string): Generator<string> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder) || folder === resolve(homedir()) || isProjectRoot(folder)) return;
  }
}

const isProjectRoot = (folder: string) => [".git", "package.json"].some((name) => existsSync(join(folder, name)));

/**
 * A config file that was found and not named by the user may run code and decide where passwords are sent. So only the user and root may
 * have write access to it, to every folder from the working folder up to it, and to the packages that its code could import.
 */
export function refuseUnsafeFile(path: string, from: string): void {
  const real = realpathSync(path);
  const folders = [...foldersUpward(from)];
  const foldersBetween = folders.slice(0, folders.indexOf(dirname(path)) + 1);
  for (const place of new Set([real, dirname(real), ...foldersBetween, ...(isCode(path) ? packageFolders(dirname(real)) : [])])) {
    const unsafeReason = unsafeReasonAt(place);
    if (unsafeReason === undefined) continue;
    const name = relative(from, path);
    throw new SetupError(
      `${name} was not read: ${place === real ? "it" : place} ${unsafeReason}`,
      `make it yours alone (chown, chmod go-w)${basename(path) === IGNORE_FILE ? "" : `, or name it if you trust it: -c ${name}; -c /dev/null goes without`}`,
      {
        cause: new Error(
          "a file that is found, not named, is read only where nobody but you and root can write: it could run programs as you",
        ),
      },
    );
  }
}

/** The node_modules folders that an import would search. */
function packageFolders(folder: string): string[] {
  const parents = folder === dirname(folder) ? [] : packageFolders(dirname(folder));
  return [join(folder, "node_modules"), ...parents].filter((path) => existsSync(path));
}
