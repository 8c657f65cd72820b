import type { StoredCandidate } from "../../frontier/index.ts";
import type { Via, VisitKind } from "../../records.ts";

/** As `LOAD` in `lease-statements.ts` tells it. */
export function candidateFrom(line: readonly string[]): StoredCandidate {
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
