/** `run.stop_wanted` is set by whoever asks a run of another process to stop, `run.pruned_at` when its ledger was removed. */
export const version2 = `
ALTER TABLE run ADD COLUMN stop_wanted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN pruned_at INTEGER;
`;
