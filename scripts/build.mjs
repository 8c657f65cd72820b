// Builds dist/ with tsc, joins what is published in dist/bundle, makes the two commands executable, and links them into node_modules/.bin, so that
// `npx nuthatch` works in a checkout as it does where the package is installed.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bundle } from "./bundle.mjs";
import { dashboard } from "./dashboard.mjs";

const require = createRequire(import.meta.url);
const { bin } = require("../package.json");
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
try {
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.json"], { stdio: "inherit" });
} catch {
  process.exit(1); // tsc has said what is wrong
}
await bundle();
await dashboard();
for (const [name, path] of Object.entries(bin)) {
  chmodSync(path, 0o755);
  if (!existsSync("node_modules/.bin")) continue;
  const link = join("node_modules", ".bin", name);
  rmSync(link, { force: true });
  if (process.platform === "win32") writeFileSync(`${link}.cmd`, `@node "%~dp0\\..\\..\\${path.replaceAll("/", "\\")}" %*\r\n`);
  else symlinkSync(join("..", "..", path), link);
}
