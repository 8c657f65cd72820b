/**
 * What browsers have shown. `rendered_version` names the versions that are pages as a browser showed them, with the picture it took; `host_engine` is which
 * engine gets real content from a host, and whether plain requests do not; `template_gain` how often pages of a template said more in a browser.
 */
const rendering = `
CREATE TABLE rendered_version (
  version_id INTEGER PRIMARY KEY REFERENCES page_version ON DELETE CASCADE, engine TEXT NOT NULL,
  picture_hash TEXT, picture_type TEXT, width INTEGER, height INTEGER
);
CREATE TABLE host_engine (
  host TEXT PRIMARY KEY, engine TEXT NOT NULL, is_walled INTEGER NOT NULL DEFAULT 0, changed_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE template_gain (
  site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, template TEXT NOT NULL, shown INTEGER NOT NULL, gained INTEGER NOT NULL,
  PRIMARY KEY (site_id, template)
) WITHOUT ROWID;
`;

export const version7 = rendering;
