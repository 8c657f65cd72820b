import { fingerprintHash } from "../../analysis/dedupe/index.ts";
import type { Hash64 } from "../../core/records.ts";
import type { Run } from "../run.ts";
import { LEDGER_ROW, ledgerRowFrom } from "../sqlite/reads.ts";
import { toInt64 } from "../sqlite/rows.ts";
import type { Duplicate, LedgerRow, PossibleDuplicate } from "../store.ts";
import { arrayOf, asLines, Columns, parseLines } from "./columns.ts";
import type { WorkerSession } from "./worker-session.ts";

const possibleDuplicates = new Columns({ at: "bigint", print: "bigint", text: "text", links: "text", site_id: "bigint", hash: "bigint" });

/** The last parameter: run. */
const DUPLICATES = asLines(
  `${possibleDuplicates.table("s")} CROSS JOIN LATERAL (
    SELECT p.id, p.url, d.depth FROM page p JOIN page_version v ON v.id = p.version_id
    LEFT JOIN decision d ON d.run_id = $${possibleDuplicates.size + 1} AND d.hash = p.hash AND d.verdict IN ('fetched', 'not-modified') AND d.via <> 'probe' AND v.nofollow = 0
    WHERE p.print = s.print AND v.text_hash = s.text AND v.links_hash = s.links AND p.site_id = s.site_id AND p.hash <> s.hash AND p.is_gone = 0 AND p.moved_to IS NULL
    ORDER BY p.id LIMIT 1
  ) AS t`,
  ...["s.at", "t.id", "t.url", "t.depth"],
);

/** $1 sites, $2 run. Also checks pages, because runs may have been removed while their pages stay. */
const OTHER_RUNS = `SELECT 1 FROM run_site WHERE site_id = ANY($1::bigint[]) AND run_id <> $2
  UNION ALL SELECT 1 FROM page WHERE site_id = ANY($1::bigint[]) AND (run_id < $2 OR run_id > $2) LIMIT 1`;

export const hasOtherRuns = (session: WorkerSession, { id, sites }: Run): boolean =>
  session.queryByIndex(OTHER_RUNS, [arrayOf(sites.map((site) => site.id)), id]).length > 0;

/** $1 run, $2 hashes. */
const LEDGER_ROWS = `SELECT ${LEDGER_ROW}, hash::text AS hash FROM decision WHERE run_id = $1 AND hash = ANY($2::bigint[])`;
/** Rows per statement. */
const ROWS_PER_STATEMENT = 1000;

export function ledgerRows(session: WorkerSession, runId: number, hashes: readonly Hash64[]): (LedgerRow | undefined)[] {
  const numbers = hashes.map((hash) => String(toInt64(hash)));
  const found = new Map<string, LedgerRow>();
  for (let at = 0; at < numbers.length; at += ROWS_PER_STATEMENT) {
    const rows = session.queryByIndex(LEDGER_ROWS, [runId, arrayOf(numbers.slice(at, at + ROWS_PER_STATEMENT))]);
    for (const row of rows) found.set(String(row.hash), ledgerRowFrom(row));
  }
  return numbers.map((number) => found.get(number));
}

export function findDuplicates(session: WorkerSession, runId: number, candidates: readonly PossibleDuplicate[]): (Duplicate | undefined)[] {
  const duplicates: (Duplicate | undefined)[] = candidates.map(() => undefined);
  if (candidates.length === 0) return duplicates;
  const rows = candidates.map(({ siteId, hash, fingerprint }, at) => {
    const { text, links } = fingerprint;
    return { at, print: toInt64(fingerprintHash(fingerprint)), text, links, site_id: siteId, hash: toInt64(hash) };
  });
  for (const [at, id, url, depth] of parseLines(session.query(DUPLICATES, [...possibleDuplicates.values(rows), runId]))) {
    duplicates[Number(at)] = { pageId: Number(id), url: url!, depthInRun: depth === "" ? undefined : Number(depth) };
  }
  return duplicates;
}
