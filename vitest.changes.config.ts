import { defineConfig } from "vitest/config";

/** Sites that are edited and full of noise, crawled six times each: minutes. */
export default defineConfig({
  test: {
    include: ["test/changes-truth/**/*.truth.ts"],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    pool: "forks",
    fileParallelism: false,
    server: { deps: { external: [/\/dist\//] } },
  },
});
