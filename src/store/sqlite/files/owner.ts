import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";

/** A pid may be reused, but not together with its start time. */
function startTimeOf(pid: number): string {
  try {
    // The 22nd field of /proc/<pid>/stat; the second, the command, may hold spaces and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended; its parent has not waited for it yet.
    return fields[0] === "Z" ? "" : (fields[19] ?? "");
  } catch {
    return ""; // no /proc on this system, or no such process
  }
}

/** Distinguishes a data file from its copies: owners noted in it are valid for that file alone. Undefined if there is no file. */
export function fileId(path: string): string | undefined {
  try {
    return `f${statSync(path, { bigint: true }).ino}`;
  } catch {
    return undefined;
  }
}

/** Identifies this process: machine, pid, start time and, for a data file, the file. A lease adds the run. */
export const ownerId = (pid = process.pid, file?: string): string =>
  [hostname(), pid, startTimeOf(pid), ...(file === undefined ? [] : [file])].join("/");

/** Whether the owner was noted in another file, of which this one is a copy. */
export function isFromElsewhere(owner: string, file: string | undefined): boolean {
  const fileOfOwner = owner.split("/")[3];
  return file !== undefined && fileOfOwner?.startsWith("f") === true && fileOfOwner !== file;
}

export const pidOf = (owner: string): number => Number(owner.split("/")[1]);

/** Whether an owner is still running and works with this file. For another machine it depends on whether it was active lately. */
export function isOwnerAlive(
  owner: string,
  { file, wasHeardLately: wasRecentlyActive = true }: { file?: string | undefined; wasHeardLately?: boolean } = {},
): boolean {
  if (isFromElsewhere(owner, file)) return false;
  const [machine, pid, startedAt] = owner.split("/");
  if (machine !== hostname()) return wasRecentlyActive;
  try {
    process.kill(Number(pid), 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return startTimeOf(Number(pid)) === startedAt;
}
