/**
 * Statements run on every visit, with values passed by position: binding by name would take as long as the writing itself. They use `get`,
 * because `run` creates a result object that is not needed.
 */
import type { SettledVisit } from "../settlement.ts";
import type { Statements, Value } from "./rows.ts";
import { END_VISIT, HEAR, NEW_PAGE, NEW_VERSION, SAME_PAGE, SEEN_PAGE } from "./settle-statements.ts";

/** `"run hash host"` stands for three names. */
type Values<Names extends string> = Readonly<Record<Each<Names>, Value>>;
type Each<Names extends string> = Names extends `${infer First} ${infer Rest}` ? First | Each<Rest> : Names;
type HeardValues = Values<"run hash host site kind url key depth hops via parent level priority verdict reason rule at">;
type PageValues =
  Values<"id uid site hash host url depth via parent status type change run seq at duration bytes etag modified moved reader twin near version print pageType history cached">;
type VersionValues =
  Values<"id page number run at type charset metadata canonical noindex nofollow text links simhash words linkCount body index packed">;

export function endVisit(sql: Statements, visit: SettledVisit, { page, at, seq }: Values<"page at seq">): void {
  const { candidate, verdict, reason, rule, depth, status = null, attempts, target = null } = visit;
  sql.placed(END_VISIT).get(verdict, reason, rule, depth, status, attempts, target, page, at, seq, candidate.id);
}

export function insertHeard(sql: Statements, v: HeardValues): { changes: number | bigint; lastInsertRowid: number | bigint } {
  return sql
    .placed(HEAR)
    .run(
      v.run,
      v.hash,
      v.host,
      v.site,
      v.kind,
      v.url,
      v.key,
      v.depth,
      v.hops,
      v.via,
      v.parent,
      v.level,
      v.priority,
      v.verdict,
      v.reason,
      v.rule,
      v.at,
    );
}

export function insertPage(sql: Statements, v: PageValues): void {
  sql
    .placed(NEW_PAGE)
    .get(
      v.id,
      v.uid,
      v.site,
      v.hash,
      v.host,
      v.url,
      v.depth,
      v.via,
      v.parent,
      v.status,
      v.type,
      v.change,
      v.run,
      v.seq,
      v.at,
      v.duration,
      v.bytes,
      v.etag,
      v.modified,
      v.moved,
      v.reader,
      v.twin,
      v.near,
      v.version,
      v.print,
      v.pageType,
    );
}

export function updatePage(sql: Statements, v: PageValues, isSame: boolean): void {
  const seen = [
    v.depth,
    v.via,
    v.parent,
    v.status,
    v.history,
    v.type,
    v.change,
    v.run,
    v.seq,
    v.at,
    v.duration,
    v.cached,
    v.bytes,
  ] as const;
  const said = [v.etag, v.modified, v.moved, v.reader] as const;
  if (isSame && sql.placed(SAME_PAGE).run(...seen, ...said, v.id).changes === 1) return;
  sql.placed(SEEN_PAGE).get(...seen, ...said, v.version, v.print, v.pageType, v.twin, v.near, v.id);
}

export function insertVersion(sql: Statements, v: VersionValues): void {
  sql
    .placed(NEW_VERSION)
    .get(
      v.id,
      v.page,
      v.number,
      v.run,
      v.at,
      v.type,
      v.charset,
      v.metadata,
      v.canonical,
      v.noindex,
      v.nofollow,
      v.text,
      v.links,
      v.simhash,
      v.words,
      v.linkCount,
      v.body,
      v.index,
      v.packed,
    );
}
