import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// A crawl often waits for its host's turn: one worker more than there are cores keeps them all busy.
const maxWorkers = availableParallelism() + 1;

// What takes long by itself goes first, so that nobody waits for it alone at the end.
const long = [
  "test/docs.test.ts",
  "test/traps.test.ts",
  "test/dashboard/dashboard.test.ts",
  "test/api-runs.test.ts",
  "test/context.test.ts",
  "test/llm.test.ts",
  "test/incremental.test.ts",
  "test/tse.test.ts",
  "test/checks.test.ts",
  "test/api-hang.test.ts",
  "test/cli-globals.test.ts",
  "test/cli-prompts.test.ts",
  "test/api-fuzz.test.ts",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = long.findIndex((path) => moduleId.endsWith(path));
      return at < 0 ? long.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers,
    // What is built is run as it is.
    server: { deps: { external: [/\/dist\//] } },
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Nothing of ours keeps state between two files, so they share a process and what it has loaded: that saves a quarter of the time.
    isolate: false,
  },
});
