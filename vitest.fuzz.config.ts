import { defineConfig } from "vitest/config";

/** The long form: every property a hundred thousand times, and the clock is asked, so one file at a time. */
export default defineConfig({
  test: {
    include: ["test/fuzz/**/*.test.ts", "test/fuzz/**/*.speed.ts"],
    env: { NUTHATCH_FUZZ_RUNS: process.env.NUTHATCH_FUZZ_RUNS ?? "100000" },
    testTimeout: 1_800_000,
    pool: "forks",
    fileParallelism: false,
  },
});
