/** `run.stop_wanted` asks the process of a run to stop; `run.pruned_at` is when the run's ledger was removed. */
export const version2 = `
ALTER TABLE run ADD COLUMN stop_wanted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN pruned_at INTEGER;
`;
