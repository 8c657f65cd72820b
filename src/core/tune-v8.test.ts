import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { flags } from "./tune-v8.ts";

test("V8 knows each flag: one that it does not know would be passed over in silence", () => {
  const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  expect(flags.filter((flag) => !known.includes(`  ${flag.split("=")[0]} (`))).toEqual([]);
});
