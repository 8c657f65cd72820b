/**
 * PostgreSQL only: every unique key of the ledger and of pages contains the host, that of versions the page, and those of bodies and links
 * the hash, so that these tables can be partitioned by them (docs/scale.md). Uniqueness does not change: a URL's hash determines its host.
 * Ids come from sequences owned by no table, so that they survive the replacement of a table.
 */

const withOwnSequence = (table: string, key: string): string[] => [
  `ALTER SEQUENCE ${table}_id_seq RENAME TO ${table}_id_before`,
  `CREATE SEQUENCE ${table}_id_seq`,
  `SELECT setval('${table}_id_seq', last_value, is_called) FROM ${table}_id_before`,
  `ALTER TABLE ${table} ALTER id DROP IDENTITY, ALTER id SET DEFAULT nextval('${table}_id_seq')`,
  `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey, ADD PRIMARY KEY (id, ${key})`,
];

/** Tables that refer to pages without a foreign key: it would need a unique key on the page id alone, without the host. */
export const TABLES_OF_PAGES = [
  "page_version",
  "page_metadata",
  "page_evidence",
  "page_search",
  "page_card",
  "ignored_part",
  "link_source",
  "change",
];

export const hostKeys: readonly string[] = [
  ...TABLES_OF_PAGES.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_page_id_fkey`),
  // A process that removes a page holds its row lock, and no other process reaches the page's rows in these tables, so two removals cannot
  // deadlock here.
  `CREATE FUNCTION remove_pages() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${TABLES_OF_PAGES.map((table) => `DELETE FROM ${table} WHERE page_id IN (SELECT id FROM before);`).join("\n    ")}
    RETURN NULL; END $$`,
  "CREATE TRIGGER removed AFTER DELETE ON page REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION remove_pages()",
  ...withOwnSequence("decision", "host_id"),
  ...withOwnSequence("page", "host_id"),
  "DROP INDEX decision_hash",
  "CREATE UNIQUE INDEX decision_hash ON decision (run_id, hash, host_id)",
  "DROP INDEX page_hash",
  "CREATE UNIQUE INDEX page_hash ON page (hash, site_id, host_id)",
];

export const versionKeys: readonly string[] = [
  "ALTER TABLE rendered_version DROP CONSTRAINT rendered_version_version_id_fkey",
  `CREATE FUNCTION remove_versions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM rendered_version WHERE version_id IN (SELECT id FROM before);
    RETURN NULL; END $$`,
  "CREATE TRIGGER removed AFTER DELETE ON page_version REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION remove_versions()",
  ...withOwnSequence("page_version", "page_id"),
  ...withOwnSequence("body", "hash"),
];

/** No foreign key is needed: links are removed only under the exclusive lock (`inExclusiveTransaction`), and only if no page has them. */
export const linkKeys: readonly string[] = [
  "ALTER TABLE link_source DROP CONSTRAINT link_source_link_id_fkey",
  ...withOwnSequence("link", "hash"),
];
