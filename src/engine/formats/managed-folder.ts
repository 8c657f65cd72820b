import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PartFile } from "./part-file.ts";

export interface ManagedFile {
  /** As returned by `pagePath`: it never leads out of the folder. */
  readonly path: string;
  /** The site that the file belongs to. */
  readonly site: string;
  readonly content: string;
  /** A file with this beginning is recognised as ours, even if the manifest does not list it. */
  readonly beginning: string;
}

export interface FolderReport {
  /** Number of files written because they were new or different. */
  readonly written: number;
  readonly removed: number;
  /** Paths not written because they contain a file or folder that is not ours. */
  readonly kept: readonly string[];
}

const MANIFEST = ".nuthatch-export.json";
const SAFE_PATH = /^(?:[a-z0-9_][a-z0-9._-]*\/)+[a-z0-9_][a-z0-9._~-]*$/;

/**
 * A folder in which some files are ours, as recorded in a manifest. Only files that differ are written, so that version
 * control shows only real changes; only files in the manifest are removed. Symbolic links are not followed.
 */
export class ManagedFolder {
  readonly #root: string;
  readonly #isReplacing: boolean;
  /** The site of each of our files: `before` has those of earlier exports not yet written again, `now` those of this export. */
  readonly #before: Map<string, string>;
  readonly #now = new Map<string, string>();
  readonly #kept: string[] = [];
  #written = 0;
  #isManifestChanged: boolean;

  constructor(root: string, isReplacing: boolean) {
    this.#root = root;
    this.#isReplacing = isReplacing;
    this.#before = readManifest(root);
    this.#isManifestChanged = this.#before.size === 0;
  }

  /** Whether the folder contains anything that may not be ours. Hidden files are ignored, because they belong to tools. */
  static isForeign(root: string): boolean {
    const names = readdirSync(root);
    return !names.includes(MANIFEST) && names.some((name) => !name.startsWith("."));
  }

  /** False if the path contains something that is not ours, or was already written in this export. */
  write(file: ManagedFile): boolean {
    if (this.#now.has(file.path)) return false;
    if (!this.#writeFile(file)) {
      this.#kept.push(file.path);
      return false;
    }
    if (this.#before.get(file.path) !== file.site) this.#isManifestChanged = true;
    this.#before.delete(file.path);
    this.#now.set(file.path, file.site);
    return true;
  }

  #writeFile({ path, content, beginning }: ManagedFile): boolean {
    if (!this.#isRealFolder(dirname(path), true)) return false;
    const place = join(this.#root, path);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found && !found.isFile()) return false;
    const text = found && readFileSync(place, "utf8");
    if (text === content) return true;
    const isOurs = text === undefined || text === "" || this.#before.has(path) || text.startsWith(beginning);
    if (!isOurs && !this.#isReplacing) return false;
    writeFileSync(place, content);
    this.#written += 1;
    return true;
  }

  /** Whether every folder of the path is a real folder, not a symbolic link. */
  #isRealFolder(folder: string, mayCreate: boolean): boolean {
    if (folder === ".") return true;
    if (!this.#isRealFolder(dirname(folder), mayCreate)) return false;
    const place = join(this.#root, folder);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (!found && mayCreate) mkdirSync(place);
    return found ? found.isDirectory() : mayCreate;
  }

  /** Removes our files of these sites that were not written in this export. */
  close(wholeSites: ReadonlySet<string>): FolderReport {
    let removed = 0;
    for (const [path, site] of this.#before) {
      if (!wholeSites.has(site)) {
        this.#now.set(path, site);
        continue;
      }
      this.#isManifestChanged = true;
      if (this.#remove(path)) removed += 1;
    }
    if (this.#isManifestChanged) this.#writeManifest();
    return { written: this.#written, removed, kept: this.#kept };
  }

  #remove(path: string): boolean {
    const place = join(this.#root, path);
    if (!this.#isRealFolder(dirname(path), false) || !lstatSync(place, { throwIfNoEntry: false })?.isFile()) return false;
    rmSync(place);
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      if (readdirSync(join(this.#root, folder)).length > 0) break;
      rmdirSync(join(this.#root, folder));
    }
    return true;
  }

  /** Written line by line, because it is long for a large site. */
  #writeManifest(): void {
    const part = new PartFile(join(this.#root, `${MANIFEST}.part`));
    part.add('{"schemaVersion":1,"about":"files that nuthatch export wrote, and the sites they are of","files":{\n');
    const paths = [...this.#now.keys()].sort();
    for (const [at, path] of paths.entries())
      part.add(`${JSON.stringify(path)}:${JSON.stringify(this.#now.get(path))}${at < paths.length - 1 ? "," : ""}\n`);
    part.add("}}\n");
    part.close();
    renameSync(join(this.#root, `${MANIFEST}.part`), join(this.#root, MANIFEST));
  }
}

/** The manifest may have been edited: paths that `pagePath` would not produce are ignored. */
function readManifest(root: string): Map<string, string> {
  const place = join(root, MANIFEST);
  if (!statSync(place, { throwIfNoEntry: false })?.isFile()) return new Map();
  const { files } = JSON.parse(readFileSync(place, "utf8")) as { files?: Record<string, unknown> };
  const known = Object.entries(files ?? {}).filter(([path]) => SAFE_PATH.test(path));
  return new Map(known.map(([path, site]) => [path, String(site)]));
}
