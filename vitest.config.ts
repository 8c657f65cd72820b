import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Many tests wait for the pace of a host, so there is work for more than one on each core. */
const maxWorkers = availableParallelism() + 1;

export default defineConfig({
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000, pool: "forks", maxWorkers },
});
