import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PartFile } from "./part-file.ts";

export interface OwnFile {
  /** As `pagePath` makes it: it never leads out of the folder. */
  readonly path: string;
  /** The site it belongs to. */
  readonly site: string;
  readonly content: string;
  /** By this it is known as ours, though nobody has written it down. */
  readonly beginning: string;
}

export interface FolderReport {
  /** Files that had to be written, being new or different. */
  readonly written: number;
  readonly removed: number;
  /** Places where something stands that is not ours. */
  readonly kept: readonly string[];
}

const MANIFEST = ".nuthatch-export.json";
const SAFE_PATH = /^(?:[a-z0-9_][a-z0-9._-]*\/)+[a-z0-9_][a-z0-9._~-]*$/;

/**
 * A folder in which some files are ours, as a list in it says. Written is only what differs, so that a version control sees what changed and nothing
 * else; removed is only what is on the list. Links on the disk are not followed, wherever they lead.
 */
export class OwnFolder {
  readonly #root: string;
  readonly #isReplacing: boolean;
  /** The site of each of our files: those of earlier times that were not met yet, and those of now. */
  readonly #before: Map<string, string>;
  readonly #now = new Map<string, string>();
  readonly #kept: string[] = [];
  #written = 0;
  #isListNew: boolean;

  constructor(root: string, isReplacing: boolean) {
    this.#root = root;
    this.#isReplacing = isReplacing;
    this.#before = readManifest(root);
    this.#isListNew = this.#before.size === 0;
  }

  /** Whether it holds anything that may be somebody else's; what is hidden belongs to tools. */
  static isForeign(root: string): boolean {
    const names = readdirSync(root);
    return !names.includes(MANIFEST) && names.some((name) => !name.startsWith("."));
  }

  /** False where something stands that is not ours, or another page of the same name was written before. */
  write(file: OwnFile): boolean {
    if (this.#now.has(file.path)) return false;
    if (!this.#put(file)) {
      this.#kept.push(file.path);
      return false;
    }
    if (this.#before.get(file.path) !== file.site) this.#isListNew = true;
    this.#before.delete(file.path);
    this.#now.set(file.path, file.site);
    return true;
  }

  #put({ path, content, beginning }: OwnFile): boolean {
    if (!this.#isReal(dirname(path), true)) return false;
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

  /** Whether every folder on the way is one, and no link. */
  #isReal(folder: string, isMaking: boolean): boolean {
    if (folder === ".") return true;
    if (!this.#isReal(dirname(folder), isMaking)) return false;
    const place = join(this.#root, folder);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (!found && isMaking) mkdirSync(place);
    return found ? found.isDirectory() : isMaking;
  }

  /** Removes our files of these sites that were not written this time. */
  close(wholeSites: ReadonlySet<string>): FolderReport {
    let removed = 0;
    for (const [path, site] of this.#before) {
      if (!wholeSites.has(site)) {
        this.#now.set(path, site);
        continue;
      }
      this.#isListNew = true;
      if (this.#remove(path)) removed += 1;
    }
    if (this.#isListNew) this.#writeManifest();
    return { written: this.#written, removed, kept: this.#kept };
  }

  #remove(path: string): boolean {
    const place = join(this.#root, path);
    if (!this.#isReal(dirname(path), false) || !lstatSync(place, { throwIfNoEntry: false })?.isFile()) return false;
    rmSync(place);
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      if (readdirSync(join(this.#root, folder)).length > 0) break;
      rmdirSync(join(this.#root, folder));
    }
    return true;
  }

  /** Line by line: of a large site it is long. */
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

/** What a list says that we have not written cannot be trusted: a path that we would not make is nobody's. */
function readManifest(root: string): Map<string, string> {
  const place = join(root, MANIFEST);
  if (!statSync(place, { throwIfNoEntry: false })?.isFile()) return new Map();
  const { files } = JSON.parse(readFileSync(place, "utf8")) as { files?: Record<string, unknown> };
  const known = Object.entries(files ?? {}).filter(([path]) => SAFE_PATH.test(path));
  return new Map(known.map(([path, site]) => [path, String(site)]));
}
