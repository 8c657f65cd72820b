// Builds dist/ with tsc and makes the two commands executable.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.json"], { stdio: "inherit" });
for (const bin of ["dist/src/cli/main.js", "dist/src/cli/crawler.js"]) if (existsSync(bin)) chmodSync(bin, 0o755);
