import type { Job, JobKind, List, Store } from "../../../store/index.ts";
import { numbersOf } from "../cursor.ts";

/** Jobs of several kinds, latest first. */
export const jobList = ({ service }: Store): List<readonly JobKind[], Job> => ({
  sorts: ["latest"],
  async part(kinds, { after, limit }) {
    const before = after && numbersOf(after, 1)[0];
    const found: Job[] = [];
    for (const kind of kinds) found.push(...(await service.jobs(kind, { before, limit: limit + 1 })));
    const rows = found.sort((a, b) => b.id - a.id).slice(0, limit);
    return { rows, next: found.length > limit ? [rows.at(-1)!.id] : undefined };
  },
  async count(kinds) {
    let count = 0;
    for (const kind of kinds) count += (await service.jobs(kind, { limit: Number.MAX_SAFE_INTEGER })).length;
    return count;
  },
});
