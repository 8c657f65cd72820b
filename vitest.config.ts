import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// A crawl often waits for its host's turn: one worker more than there are cores keeps them all busy.
const maxWorkers = availableParallelism() + 1;

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers,
    // What is built is run as it is.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      // Rooms have no state of their own, so their tests may share a process; that saves a third of their time.
      { extends: true, test: { name: "rooms", include: ["src/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.ts"] } },
    ],
  },
});
