import { defineConfig } from "vitest/config";

/** Several workers at one PostgreSQL, which are killed, stopped and cut off: minutes, and one file at a time because they watch the pace. */
export default defineConfig({
  test: {
    include: ["test/workers/**/*.workers.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    pool: "forks",
    fileParallelism: false,
  },
});
