import { defineConfig } from "vitest/config";

/** Pages in real browsers, those that mean them no good included: minutes, and one file at a time because each wants the machine. */
export default defineConfig({
  test: {
    include: ["test/render/**/*.render.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: "forks",
    fileParallelism: false,
  },
});
