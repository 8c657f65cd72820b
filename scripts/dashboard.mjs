// Joins the dashboard into dist/bundle/dashboard: what a browser loads, each file packed as it goes over the wire.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const source = "src/dashboard";
const folder = "dist/bundle/dashboard";
/** Whose code a browser is handed. */
export const shown = ["preact", "uplot"];

const write = (name, data) => writeFileSync(join(folder, `${name}.gz`), gzipSync(data, { level: constants.Z_BEST_COMPRESSION }));

export async function dashboard() {
  const build = await rolldown({
    input: { app: join(source, "main.tsx") },
    platform: "browser",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await build.generate({ format: "esm", minify: true, entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { fileName, code } of output) write(fileName, code);
  for (const name of ["index.html", "icon.svg"]) write(name, readFileSync(join(source, name)));
  write("app.css", readFileSync(join(source, "style.css")));
}
