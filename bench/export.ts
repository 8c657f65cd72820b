/**
 * Measures each format of `nuthatch export` on a large data file: time and peak memory. The file is generated without a crawl. `npm run
 * bench -- export` uses 100,000 pages; `npm run bench -- export 1000 md llms` uses 1,000 and only these formats.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { type FormatInfo, formats } from "../src/features/export/export-formats.ts";
import { aNewUrl, aPage, aRun, aVisit, hashOf } from "../src/store/contract/records.ts";
import { openSqlite } from "../src/store/index.ts";
import type { VersionToStore } from "../src/store/settlement.ts";

const ORIGIN = "https://example.org";
const SECTIONS = 40;
const BATCH = 500;
const LINKS = 20;
const MOST_MIB = 200;

const words = "river bridge market council garden library winter harvest signal copper lantern meadow harbour ticket window letter".split(
  " ",
);
const urlOf = (page: number) => (page === 0 ? `${ORIGIN}/` : `${ORIGIN}/section-${page % SECTIONS}/article-${page}`);
const wordsAt = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => words[(from * 7 + at * (1 + (from % 5))) % words.length]);

function htmlOf(page: number, linked: readonly number[]): string {
  const links = linked.map((to) => `<li><a href="${urlOf(to)}">Article ${to} in brief</a></li>`);
  const text = Array.from({ length: 12 }, (_, at) => `<p>${wordsAt(page * 13 + at, 40).join(" ")}.</p>`);
  return `<!doctype html><html lang="en"><head><title>Article ${page}</title></head><body><nav><a href="/">Home</a><ul>${links.join("")}</ul></nav>
<main><h1>Article ${page}</h1>${text.join("\n")}</main><footer>The same on every page.</footer></body></html>`;
}

function versionOf(page: number, pages: number): VersionToStore {
  const linked = Array.from({ length: LINKS }, (_, at) => (page * 31 + at * at * 17 + at) % pages);
  const html = Buffer.from(htmlOf(page, linked));
  const print = createHash("sha256").update(html).digest("hex").slice(0, 16);
  const columns = [ORIGIN, linked.map((to) => urlOf(to).slice(ORIGIN.length)).join("\n"), "", "a".repeat(LINKS)];
  const metadata = {
    title: { value: `Article ${page}`, source: "h1" },
    description: { value: wordsAt(page, 20).join(" "), source: "meta:description" },
    lang: { value: "en", source: "html[lang]" },
  };
  return {
    fingerprint: { text: print, links: print, simhash: print },
    ...{
      metadata,
      canonical: undefined,
      noindex: false,
      nofollow: false,
      type: "html",
      charset: "utf-8",
      wordCount: 480,
      linkCount: LINKS,
    },
    ...{ linkIndex: new Uint8Array(), packedLinks: Buffer.from(`\0${columns.join("\0")}`), links: [] },
    body: {
      hash: print,
      size: html.length,
      coding: "br",
      data: brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    },
  };
}

async function makeData(db: string, pages: number): Promise<void> {
  const store = openSqlite(db);
  const { site, hear, settle, end } = await aRun(store, `${ORIGIN}/`);
  for (let first = 0; first < pages; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, pages - first) }, (_, at) => first + at);
    const heard = await hear(...numbers.map((page) => aNewUrl(urlOf(page), { hash: hashOf(urlOf(page)), siteId: site.id })));
    await settle({ visits: heard.map((candidate, at) => aVisit(candidate, { page: aPage(versionOf(first + at, pages)) })) });
  }
  await end();
  await store.close();
}

const run = promisify(execFile);
const program = fileURLToPath(new URL("../bundle/nuthatch.js", import.meta.url));
/** Makes the process print its peak memory on exit. */
const hook = `data:text/javascript,process.on("exit",()=>process.stderr.write("\\nKB "+process.resourceUsage().maxRSS+"\\n"))`;

async function measure(folder: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const { stderr } = await run(process.execPath, ["--import", hook, program, "export", ...args], { cwd: folder, maxBuffer: 1 << 20 });
  const mib = Number(/KB (\d+)\n$/.exec(stderr)![1]) / 1024;
  const seconds = (performance.now() - began) / 1000;
  console.log(`${args.slice(0, -2).join(" ").padEnd(24)}${seconds.toFixed(1).padStart(8)} s${mib.toFixed(0).padStart(8)} MiB`);
  return mib;
}

const [count = "100000", ...only] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "nuthatch-export-"));
try {
  await makeData(join(folder, "nuthatch.db"), Number(count));
  console.log(`${count} pages`);
  let most = 0;
  for (const [name, { what }] of Object.entries<FormatInfo>(formats)) {
    if (only.length > 0 && !only.includes(name)) continue;
    mkdirSync(join(folder, `${name}.dir`));
    for (const [at, each] of what.entries()) {
      const place = name === "pagedir" ? `${name}.dir` : `${at}.${name}${name === "warc" ? ".gz" : ""}`;
      most = Math.max(most, await measure(folder, [name, ...(what.length > 1 ? ["--what", each] : []), "-o", place]));
    }
  }
  if (most > MOST_MIB) throw new Error(`${most.toFixed(0)} MiB are more than ${MOST_MIB}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
