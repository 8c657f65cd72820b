import { defineConfig } from "vitest/config";

/** Processes are killed, disks filled and clocks set: minutes, not seconds, and one file at a time because they watch the time. */
export default defineConfig({
  test: {
    include: ["test/faults/**/*.fault.ts"],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    pool: "forks",
    fileParallelism: false,
  },
});
