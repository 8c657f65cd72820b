import type { Via, VisitKind } from "../../records.ts";
import { LEVELS } from "../../records.ts";
import type { StoredCandidate, Want } from "../backlog.ts";
import { linesIn } from "./columns.ts";
import { LOAD, wanted } from "./lease-statements.ts";
import type { Presence } from "./presence.ts";

/** Extra rows to read, because rows already in memory are skipped. */
const IN_MEMORY = 16;

/** A front queue of a host, and how many rows it may still return. */
interface Front {
  readonly host: string;
  readonly level: number;
  readonly left: number;
  inMemory(id: number): boolean;
}

const frontsOf = ({ host, share, inMemory }: Want): Front[] =>
  Array.from({ length: LEVELS }, (_, level) => ({ host, level, left: share(level), inMemory })).filter(({ left }) => left > 0);

const placeOf = ({ host, level }: { readonly host: string; readonly level: number }) => `${host} ${level}`;

interface Who {
  readonly runId: number;
  readonly owner: string;
}

/**
 * The best queued rows of each host, all in one statement. Queues of which more rows were in memory than expected are read again, with a
 * larger limit.
 */
export function load(presence: Presence, who: Who, wants: readonly Want[]): StoredCandidate[][] {
  const found = new Map(wants.map(({ host }) => [host, [] as StoredCandidate[]]));
  let fronts = wants.flatMap(frontsOf);
  for (let more = IN_MEMORY; fronts.length > 0; more *= 4) {
    const asked = fronts.map((front) => ({ ...front, most: Number.isFinite(front.left) ? front.left + more : undefined }));
    const rows = rowsOf(presence, who, asked);
    fronts = asked.filter((front) => {
      const all = rows.get(placeOf(front)) ?? [];
      const some = all.filter(({ id }) => !front.inMemory(id)).slice(0, front.left);
      const isCut = front.most !== undefined && all.length >= front.most && some.length < front.left;
      if (!isCut) found.get(front.host)!.push(...some);
      return isCut;
    });
  }
  return wants.map(({ host }) => found.get(host)!.sort((a, b) => a.level - b.level));
}

/** By host and level, best first. */
function rowsOf(
  presence: Presence,
  { runId, owner }: Who,
  asked: readonly { host: string; level: number; most: number | undefined }[],
): Map<string, StoredCandidate[]> {
  const rows = new Map<string, StoredCandidate[]>();
  for (const line of linesIn(presence.askByIndex(LOAD, [...wanted.values(asked), runId, owner, presence.now]))) {
    const candidate = candidateFrom(line);
    const place = placeOf(candidate);
    const known = rows.get(place);
    if (known) known.push(candidate);
    else rows.set(place, [candidate]);
  }
  for (const some of rows.values()) some.sort((a, b) => b.priority - a.priority || a.id - b.id);
  return rows;
}

/** In the column order of `LOAD` in `lease-statements.ts`. */
function candidateFrom(line: readonly string[]): StoredCandidate {
  const [host, id, url, key, hi, lo, kind, depth, hops, via, siteId, level, priority, attempts, parent] = line;
  return {
    id: Number(id),
    url: url!,
    key: key === "" ? url! : key!,
    hash: { hi: Number(hi), lo: Number(lo) },
    host: host!,
    kind: kind as VisitKind,
    depth: Number(depth),
    hops: Number(hops),
    via: via as Via,
    parent: parent === "" ? undefined : parent,
    siteId: Number(siteId),
    level: Number(level),
    priority: Number(priority),
    attempts: Number(attempts),
  };
}
