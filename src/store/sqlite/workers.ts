import type { WorkerShelf } from "../workers.ts";

/** A file has one process at work in a run, and needs no list of them. */
export const nobody: WorkerShelf = {
  canShare: false,
  list: async () => [],
  leases: async () => [],
  announce: async () => undefined,
  drain: async () => undefined,
  join: async () => undefined,
  leave: async () => undefined,
  leads: async () => true,
  nearer: async () => [],
  toldNearer: async () => undefined,
  running: async () => [],
  wake: async () => undefined,
};
