/** What people say of hosts: a pace slower than that of runs, or that they are left alone for a while. It holds for every process that asks. */
const hosts = `
CREATE TABLE host_card (
  host TEXT PRIMARY KEY, delay INTEGER NOT NULL DEFAULT 0, paused_until INTEGER NOT NULL DEFAULT 0, changed_at INTEGER NOT NULL
) WITHOUT ROWID;
`;

/** What people do not want to hear of: parts of pages that are left out where versions are compared, on one page or on all of a site. */
const ignored = `
CREATE TABLE ignored_part (
  id INTEGER PRIMARY KEY, site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, page_id INTEGER REFERENCES page ON DELETE CASCADE,
  kind TEXT NOT NULL, value TEXT NOT NULL, made_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX ignored_part_site ON ignored_part (site_id, kind, value, ifnull(page_id, 0));
CREATE INDEX ignored_part_page ON ignored_part (page_id) WHERE page_id IS NOT NULL;
`;

export const version7 = hosts + ignored;
