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
  giveUpLead: async () => undefined,
  nearer: async () => [],
  toldNearer: async () => undefined,
  running: async () => [],
  hurry: () => undefined,
  wake: async () => undefined,
};
