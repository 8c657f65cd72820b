import { readFileSync } from "node:fs";
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

/** Who we are: machine, pid and the moment the process began. A lease adds the run. */
export const ownerId = (pid = process.pid): string => `${hostname()}/${pid}/${startTimeOf(pid)}`;

export const pidOf = (owner: string): number => Number(owner.split("/")[1]);

/** Whether an owner still lives. Of another machine we cannot tell: there it counts whether it was heard of lately. */
export function isOwnerAlive(owner: string, wasHeardLately = true): boolean {
  const [machine, pid, startedAt] = owner.split("/");
  if (machine !== hostname()) return wasHeardLately;
  try {
    process.kill(Number(pid), 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return startTimeOf(Number(pid)) === startedAt;
}
