import type { WorkerShelf } from "../workers.ts";

/** A SQLite file has one process per run, so there is no list of workers. */
export const nobody: WorkerShelf = {
  canShare: false,
  list: async () => [],
  leases: async () => [],
  announce: async () => undefined,
  drain: async () => undefined,
  join: async () => undefined,
  leave: async () => undefined,
  leads: async () => true,
  giveUpLead: async () => undefined,
  nearer: async () => [],
  toldNearer: async () => undefined,
  running: async () => [],
  hurry: () => undefined,
  wake: async () => undefined,
};
