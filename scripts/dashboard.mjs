// Joins the dashboard into dist/bundle/dashboard: what a browser loads, each file packed as it goes over the wire.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const source = "src/interfaces/dashboard";
const folder = "dist/bundle/dashboard";
const docs = "dist/bundle/docs-ui";
/** Whose code a browser is handed. */
export const shown = ["preact", "uplot", "sigma", "graphology", "graphology-layout-forceatlas2", "@fastify/swagger-ui"];

const write = (name, data, into = folder) =>
  writeFileSync(join(into, `${name}.gz`), gzipSync(data, { level: constants.Z_BEST_COMPRESSION }));

const DOCS_STYLE = `body { margin: 0; font-family: system-ui, sans-serif; }
html.dark-mode body { background: #1c2022; }
.own { display: flex; gap: 1rem; padding: 0.6rem 1.25rem; border-bottom: 1px solid #8888; }
.own a { color: #24568c; }
html.dark-mode .own a { color: #7fb2e5; }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding: 0 0.5rem; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 60vw; word-break: break-all; }
  .swagger-ui .parameters, .swagger-ui .responses-table { display: block; overflow-x: auto; }
}
`;

/** Swagger UI as it is published, with a page and a start of our own: nothing inline, and our own description to show. */
function docsPage() {
  const home = "node_modules/@fastify/swagger-ui/static";
  rmSync(docs, { recursive: true, force: true });
  mkdirSync(docs, { recursive: true });
  for (const name of ["swagger-ui-bundle.js", "swagger-ui.css"]) write(name, readFileSync(join(home, name)), docs);
  const start = `const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
follow();
dark.addEventListener("change", follow);
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#docs", deepLinking: true, filter: true, defaultModelsExpandDepth: 0 });
`;
  write("start.js", start, docs);
  write("own.css", DOCS_STYLE, docs);
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>API · Nuthatch</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/own.css" />
  </head>
  <body>
    <nav class="own"><a href="/">Nuthatch</a> <a href="/openapi.json">openapi.json</a></nav>
    <main id="docs"></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
  write("index.html", page, docs);
}

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
  docsPage();
}
