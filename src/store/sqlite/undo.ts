import { fingerprintHash } from "../../analysis/dedupe/index.ts";
import type { MaintenanceContext } from "./removal-lists.ts";
import { metadataFrom, type Row, toInt64 } from "./rows.ts";
import { LinkRows } from "./settle/link-rows.ts";

const PAGES = `SELECT id, site_id, first_run_id FROM page WHERE site_id IN (SELECT site_id FROM run_site WHERE run_id = :run) AND run_id = :run
  AND id > :after AND id NOT IN (SELECT id FROM temp.doomed_page) ORDER BY id LIMIT :limit`;

const PREVIOUS_VERSION =
  "SELECT * FROM page_version WHERE page_id = ? AND id NOT IN (SELECT id FROM temp.doomed_version) ORDER BY number DESC LIMIT 1";

/** The run that visited the page before this one. */
const PREVIOUS_VISIT = `SELECT d.run_id, d.seq, d.status, d.target, d.depth, c.status AS change FROM page p JOIN run_site rs ON rs.site_id = p.site_id
  JOIN decision d ON d.run_id = rs.run_id AND d.hash = p.hash
  LEFT JOIN change c ON c.run_id = d.run_id AND c.page_id = p.id
  WHERE p.id = :page AND rs.run_id <> :run AND d.page_id = p.id ORDER BY d.run_id DESC LIMIT 1`;

/** Without validators and reader, so that the next run reads the page completely. */
const RESTORE_PAGE = `UPDATE page SET version_id = :version, print = :print, page_type = :type, run_id = :run, seq = :seq, change = :change, status = coalesce(:status, status),
    depth = coalesce(:depth, depth), is_gone = iif(:change = 'gone' OR :moved IS NOT NULL, 1, 0), moved_to = :moved, fetched_at = coalesce(previous_at, fetched_at), previous_at = NULL,
    changed_at = coalesce(:changed, changed_at), etag = NULL, last_modified = NULL, reader = '', duplicate_of = NULL, near_duplicate_of = NULL
  WHERE id = :id`;

/**
 * Reverts what a run found about pages that earlier runs had visited, in batches. Returns the last page of the batch, or undefined if
 * there are no more.
 */
export function undoPages({ sql }: MaintenanceContext, runId: number, after: number, limit: number): number | undefined {
  const pages = sql.named(PAGES).all({ run: runId, after, limit });
  const links = new LinkRows(sql);
  for (const page of pages) {
    const id = Number(page.id);
    links.undo({ pageId: id, siteId: Number(page.site_id), runId });
    const version = sql.get(PREVIOUS_VERSION).get(id) as Row | undefined;
    const visit = sql.named(PREVIOUS_VISIT).get({ page: id, run: runId });
    sql.named(RESTORE_PAGE).run({
      id,
      version: version ? Number(version.id) : null,
      print: version ? toInt64(fingerprintHash({ text: String(version.text_hash), links: String(version.links_hash), simhash: "" })) : null,
      type: version ? (metadataFrom(version.metadata).type?.value ?? null) : null,
      changed: version ? Number(version.fetched_at) : null,
      run: Number(visit?.run_id ?? version?.run_id ?? page.first_run_id),
      seq: Number(visit?.seq ?? 0),
      change: String(visit?.change ?? (visit ? "same" : "unknown")),
      status: (visit?.status ?? null) as number | null,
      depth: (visit?.depth ?? null) as number | null,
      moved: (visit?.target ?? null) as string | null,
    });
  }
  links.flush();
  return pages.length === 0 ? undefined : Number(pages.at(-1)!.id);
}
