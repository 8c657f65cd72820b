/**
 * Everything stored: sites, runs, hosts, pages with their versions, links, and the ledger that says why each URL was or was not visited.
 * The port is `Store`; SQLite, a single file, is what most users need. Results of visits are settled in batches, one transaction each, so
 * a crash leaves either all of an outcome or nothing of it.
 */
export { isPostgres, passwordIn, withoutPassword } from "./address.ts";
export * from "./backlog.ts";
export * from "./contexts.ts";
export { addCounts, subtractCounts } from "./counts.ts";
export * from "./dns-cache.ts";
export * from "./exchanges.ts";
export * from "./history.ts";
export * from "./idempotency.ts";
export * from "./keys.ts";
export { linkType } from "./link-type.ts";
export * from "./links.ts";
export * from "./lists.ts";
export * from "./maintenance.ts";
export * from "./metadata.ts";
export { hasData, inspectPostgres, isReadOnlyFile, openStore } from "./open.ts";
export { ConnectionLost } from "./postgres/errors.ts";
export * from "./queue.ts";
export * from "./rendering.ts";
export * from "./run.ts";
export * from "./search.ts";
export * from "./service.ts";
export * from "./settlement.ts";
export { sqliteVersion, storageError } from "./sqlite/files/open-file.ts";
export { pidOf } from "./sqlite/files/owner.ts";
export { type FileFindings, inspectSqlite } from "./sqlite/inspect.ts";
export { openSqlite } from "./sqlite/open.ts";
export { pageSorts } from "./sqlite/reads.ts";
export { noCounts } from "./sqlite/runs.ts";
export { SCHEMA_VERSION } from "./sqlite/schema/schema.ts";
export * from "./store.ts";
export * from "./user-data.ts";
export * from "./workers.ts";
