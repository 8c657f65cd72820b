import { readFileSync, statSync } from "node:fs";

/**
 * Why another user could have written this file: it has another owner, or is writable by its group or by everybody. Undefined if only we
 * and root can write it, and on systems without user ids.
 */
export function unsafeReasonAt(path: string): string | undefined {
  const ownUid = process.getuid?.();
  if (ownUid === undefined) return undefined;
  const { uid, gid, mode } = statSync(path);
  if (uid !== ownUid && uid !== 0) return `belongs to another user (uid ${uid})`;
  if ((mode & 0o002) !== 0) return "can be written by everybody";
  if ((mode & 0o020) !== 0 && !isPrivateGroup(gid, ownUid)) return `can be written by its group (gid ${gid})`;
  return undefined;
}

/**
 * Many systems give each user a group of their own and make files group-writable by default. A group that cannot be looked up counts as
 * shared.
 */
export function isPrivateGroup(gid: number, ownUid: number, read = linesOf): boolean {
  const users = read("/etc/passwd").map(([name, , uid, group]) => ({ name, uid: Number(uid), gid: Number(group) }));
  const group = read("/etc/group").find(([, , id]) => Number(id) === gid);
  if (group === undefined) return false;
  const added = (group[3] ?? "").split(",").filter(Boolean);
  const members = users.filter((user) => user.gid === gid || added.includes(user.name ?? ""));
  const isKnown = added.every((name) => users.some((user) => user.name === name));
  return isKnown && members.length > 0 && members.every(({ uid }) => uid === ownUid);
}

function linesOf(path: string): string[][] {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.filter(Boolean).map((line) => line.split(":"));
  } catch {
    return []; // not every system has these files
  }
}
