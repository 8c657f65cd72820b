/**
 * Statements run on every visit, with values passed by position: binding by name would take as long as the writing itself. They use `get`,
 * because `run` creates a result object that is not needed.
 */
import type { SettledVisit } from "../../settlement.ts";
import type { Statements, Value } from "../rows.ts";
import { END_VISIT, INSERT_URL, NEW_PAGE, NEW_VERSION, SAME_PAGE, VISITED_PAGE } from "./settle-statements.ts";

/** `"run hash host"` stands for three names. */
type Values<Names extends string> = Readonly<Record<SplitNames<Names>, Value>>;
type SplitNames<Names extends string> = Names extends `${infer First} ${infer Rest}` ? First | SplitNames<Rest> : Names;
type NewUrlValues = Values<"run hash host site kind url key depth hops via parent level priority verdict reason rule at">;
type PageValues =
  Values<"id uid site hash host url depth via parent status type change run seq at duration bytes etag modified moved reader twin near version print pageType history cached">;
type VersionValues =
  Values<"id page number run at type charset metadata canonical noindex nofollow text links simhash words linkCount body index packed">;

export function endVisit(sql: Statements, visit: SettledVisit, { page, at, seq }: Values<"page at seq">): void {
  const { candidate, verdict, reason, rule, depth, status = null, attempts, target = null } = visit;
  sql.positional(END_VISIT).get(verdict, reason, rule, depth, status, attempts, target, page, at, seq, candidate.id);
}

export function insertUrl(sql: Statements, v: NewUrlValues): { changes: number | bigint; lastInsertRowid: number | bigint } {
  return sql
    .positional(INSERT_URL)
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
    .positional(NEW_PAGE)
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
  const visited = [
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
  const validators = [v.etag, v.modified, v.moved, v.reader] as const;
  if (isSame && sql.positional(SAME_PAGE).run(...visited, ...validators, v.id).changes === 1) return;
  sql.positional(VISITED_PAGE).get(...visited, ...validators, v.version, v.print, v.pageType, v.twin, v.near, v.id);
}

export function insertVersion(sql: Statements, v: VersionValues): void {
  sql
    .positional(NEW_VERSION)
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
