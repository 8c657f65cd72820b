import { defineConfig } from "vitest/config";

/** Thousands of bodies compared byte for byte, and crawls of real servers: minutes, and one file at a time because each needs both cores. */
export default defineConfig({
  test: {
    include: ["test/wire/**/*.wire.ts", "test/wire/**/*.test.ts"],
    testTimeout: 900_000,
    hookTimeout: 60_000,
    pool: "forks",
    fileParallelism: false,
  },
});
