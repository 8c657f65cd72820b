import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";

/** A pid may be given to another process, a pid with its start time may not. */
function startTimeOf(pid: number): string {
  try {
    // The 22nd field of /proc/<pid>/stat; the second, the command, may hold spaces and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie is dead; only its parent has not asked yet.
    return fields[0] === "Z" ? "" : (fields[19] ?? "");
  } catch {
    return ""; // no /proc on this system, or no such process
  }
}

/** Tells a data file from its copies: what a process has noted there holds for that file alone. Undefined where there is no file. */
export function fileId(path: string): string | undefined {
  try {
    return `f${statSync(path, { bigint: true }).ino}`;
  } catch {
    return undefined;
  }
}

/** Who we are: machine, pid and the moment the process began, and in a data file that file. A lease adds the run. */
export const ownerId = (pid = process.pid, file?: string): string =>
  [hostname(), pid, startTimeOf(pid), ...(file === undefined ? [] : [file])].join("/");

/** Whether an owner noted itself in another file, of which this one is a copy. */
export function isFromElsewhere(owner: string, file: string | undefined): boolean {
  const place = owner.split("/")[3];
  return file !== undefined && place?.startsWith("f") === true && place !== file;
}

export const pidOf = (owner: string): number => Number(owner.split("/")[1]);

/** Whether an owner still lives and works with this file. Of another machine we cannot tell: there it counts whether it was heard of lately. */
export function isOwnerAlive(
  owner: string,
  { file, wasHeardLately = true }: { file?: string | undefined; wasHeardLately?: boolean } = {},
): boolean {
  if (isFromElsewhere(owner, file)) return false;
  const [machine, pid, startedAt] = owner.split("/");
  if (machine !== hostname()) return wasHeardLately;
  try {
    process.kill(Number(pid), 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return startTimeOf(Number(pid)) === startedAt;
}
