import type { WorkerStore } from "../workers.ts";

/** A SQLite file has one process per run, so there is no list of workers. */
export const noWorkers: WorkerStore = {
  canShare: false,
  list: async () => [],
  leases: async () => [],
  announce: async () => undefined,
  drain: async () => undefined,
  join: async () => undefined,
  leave: async () => undefined,
  isLeader: async () => true,
  resignLead: async () => undefined,
  pendingDepths: async () => [],
  markDepthsDone: async () => undefined,
  running: async () => [],
  shortenWaits: () => undefined,
  waitForSignal: async () => undefined,
};
