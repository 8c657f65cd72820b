// Joins what tsc built into the files that are published, in dist/bundle: every door of the package, the two commands and the programs
// they start. One run for all, so that there is one copy of everything and what a command does not need is still not loaded.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { shown } from "./dashboard.mjs";
import { joined } from "./joined.mjs";

const folder = "dist/bundle";
const notices = "THIRD-PARTY-NOTICES.txt";

const { exports } = createRequire(import.meta.url)("../package.json");
const doors = Object.values(exports).filter((target) => typeof target === "object");
const input = {
  nuthatch: "dist/src/interfaces/cli/main.js",
  crawler: "dist/src/interfaces/cli/crawl/crawler.js",
  "read-worker": "dist/src/engine/crawl/read/read-worker.js",
  "page-worker": "dist/src/features/read-page/page-worker.js",
  "pdf-process": "dist/src/features/read-page/pdf-process.js",
  "pdf-worker": "dist/src/features/read-page/pdf-worker.js",
  "sync-worker": "dist/src/store/postgres/sync/sync-worker.js",
  "bench-site": "dist/bench/server.js",
  "api-desk": "dist/src/interfaces/rest/engine/desk-worker.js",
  "api-engine": "dist/src/interfaces/rest/engine/engine-process.js",
  "api-watch": "dist/src/interfaces/rest/engine/watch-worker.js",
  ...Object.fromEntries(doors.map(doorway)),
};

/** What it is called there, and the module whose types it has. */
function doorway({ types, default: path }) {
  if (dirname(path) !== `./${folder}`) throw new Error(`package.json: ${path} is not in ${folder}, where everything published is`);
  return [basename(path, ".js"), types.replace(/\.d\.ts$/, ".js")];
}

const isOurs = (id) => /^[./]/.test(id) || /^[A-Za-z]:\\/.test(id);
const isJoined = (id) => joined.some((name) => id === name || id.startsWith(`${name}/`));

/** Whoever's code we hand on, with the terms they hand it on under. */
function noticeOf(name) {
  const home = join("node_modules", name);
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const terms = readdirSync(home).find((file) => /^licen[cs]e/i.test(file));
  return `${name} ${version}\n\n${readFileSync(join(home, terms), "utf8").trim()}\n`;
}

export async function bundle() {
  const known = existsSync(folder) ? readdirSync(folder) : [];
  const build = await rolldown({ input, platform: "node", external: (id) => !isOurs(id) && !isJoined(id) });
  const { output } = await build.write({ dir: folder, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
  writeFileSync(join(folder, notices), [...joined, ...shown].map(noticeOf).join(`\n${"-".repeat(78)}\n\n`));
  // Files of an earlier build go last: whoever runs it just now still finds its own.
  const written = new Set([notices, "dashboard", "docs-ui", ...output.map(({ fileName }) => fileName)]);
  for (const file of known) if (!written.has(file)) rmSync(join(folder, file));
}
