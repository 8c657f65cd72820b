/**
 * PostgreSQL's alone: the host is in every unique key of the ledger and of pages, so that both can be parted by it, the page in that of versions, and the hash
 * in those of bodies and links (docs/scale.md). Nothing else is told apart: a URL's hash tells its host, and numbers come from sequences, which belong to no
 * table so that they outlive one that is replaced.
 */

const numberedApart = (table: string, key: string): string[] => [
  `ALTER SEQUENCE ${table}_id_seq RENAME TO ${table}_id_before`,
  `CREATE SEQUENCE ${table}_id_seq`,
  `SELECT setval('${table}_id_seq', last_value, is_called) FROM ${table}_id_before`,
  `ALTER TABLE ${table} ALTER id DROP IDENTITY, ALTER id SET DEFAULT nextval('${table}_id_seq')`,
  `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey, ADD PRIMARY KEY (id, ${key})`,
];

/** A foreign key would want the number of a page to be unique without its host. */
export const OF_PAGES = [
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
  ...OF_PAGES.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_page_id_fkey`),
  // Whoever removes a page holds its row, and nobody else reaches what belonged to it: two who remove cannot wait for each other here.
  `CREATE FUNCTION remove_pages() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${OF_PAGES.map((table) => `DELETE FROM ${table} WHERE page_id IN (SELECT id FROM before);`).join("\n    ")}
    RETURN NULL; END $$`,
  "CREATE TRIGGER removed AFTER DELETE ON page REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION remove_pages()",
  ...numberedApart("decision", "host_id"),
  ...numberedApart("page", "host_id"),
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
  ...numberedApart("page_version", "page_id"),
  ...numberedApart("body", "hash"),
];

/** No foreign key is needed: links are removed by somebody who is alone at that moment (`inTransactionAlone`), and only where no page has them. */
export const linkKeys: readonly string[] = [
  "ALTER TABLE link_source DROP CONSTRAINT link_source_link_id_fkey",
  ...numberedApart("link", "hash"),
];
