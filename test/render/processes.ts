/** Who lives, on Linux. */
import { readdirSync, readFileSync } from "node:fs";

/** What a process has started, and what that has, by number and moment of birth. What bears the mark of a browser counts, wherever it has gone (crash reporters leave). */
export function descendants(pid: number): string[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(name);
      return stat === undefined ? [] : [{ id: name, parent: stat[1]!, birth: stat[19]! }];
    });
  const found = new Set([String(pid)]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { id, parent } of all) if (found.has(parent)) found.add(id);
    const marks = new Set([...found].flatMap((id) => markOf(id) ?? []));
    for (const { id } of all) if (marks.has(markOf(id) ?? "")) found.add(id);
  }
  found.delete(String(pid));
  return all.filter(({ id }) => found.has(id)).map(({ id, birth }) => `${id} ${birth}`);
}

/** From the state on; zombies have ended. */
function statOf(pid: string): string[] | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" ? undefined : fields;
  } catch {
    return undefined;
  }
}

function markOf(pid: string): string | undefined {
  try {
    return /NUTHATCH_BROWSER=nuthatch-[0-9a-f]+/.exec(readFileSync(`/proc/${pid}/environ`, "latin1"))?.[0];
  } catch {
    return undefined;
  }
}

/** Those of them that live. */
export const stillThere = (them: readonly string[]): string[] =>
  them.filter((one) => statOf(one.split(" ")[0]!)?.[19] === one.split(" ")[1]);
