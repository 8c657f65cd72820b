import { once } from "node:events";
import { createBrotliCompress, createDeflate, createGzip, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { type Ended, nuthatch, tempFolder } from "../cli.ts";
import { type Answer, endless, page, serveRaw } from "../hostile/raw-web.ts";
import { serveSite } from "../site/index.ts";
import { query } from "./ledger.ts";
import { malformed } from "./malformed.ts";

const MB = 1024 ** 2;
const GIB = 1024 ** 3;
const small = { NODE_OPTIONS: `--max-old-space-size=256 --import=${new URL("./watch-loop.mjs", import.meta.url).href}` };

interface Watched {
  /** Longest time the loop stood still, in milliseconds. */
  readonly stall: number;
  readonly peak: number;
  readonly samples: readonly number[];
}

function watched({ stderr }: Ended): Watched {
  const [, json] = /^WATCHED (.*)$/m.exec(stderr) ?? [];
  expect(json, `ended before it could say how it was:\n${stderr}`).toBeDefined();
  return JSON.parse(json!) as Watched;
}

type Packer = ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress>;

/** A gibibyte, packed. */
async function bomb(packer: Packer): Promise<Buffer> {
  const parts: Buffer[] = [];
  packer.on("data", (part: Buffer) => parts.push(part));
  const chunk = Buffer.alloc(MB, "<p>one more line of the bomb</p>\n");
  for (let sent = 0; sent < GIB; sent += MB) if (!packer.write(chunk)) await once(packer, "drain");
  packer.end();
  await once(packer, "end");
  return Buffer.concat(parts);
}

describe("with a heap of 256 MiB", () => {
  let bombs: { gzip: Buffer; br: Buffer; deflate: Buffer };
  beforeAll(async () => {
    const [gzip, br, deflate] = await Promise.all([
      bomb(createGzip()),
      bomb(createBrotliCompress({ params: { 1: 5 } })),
      bomb(createDeflate()),
    ]);
    bombs = { gzip: gzip!, br: br!, deflate: deflate! };
  });

  test("bombs of a gibibyte, endless bodies and bombs in robots.txt and sitemaps: alive, flagged, no stall", async () => {
    using folder = tempFolder();
    const coded = (coding: string, body: Buffer): Answer => page(body, { "content-encoding": coding });
    const ok = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n";
    const nested = gzipSync(bombs.gzip);
    const home = page("<p>a page behind its robots.txt</p>");
    const sitemap =
      (answer: Answer): Answer =>
      (socket, path) =>
        path === "/" ? home(socket, path) : answer(socket, path);
    const packed = page(bombs.gzip, { "content-type": "application/gzip" });
    const hosts: [name: string, answer: Answer, robots: Answer | "sitemap" | undefined, expected: string][] = [
      ["gzip", coded("gzip", bombs.gzip), undefined, "size"],
      ["br", coded("br", bombs.br), undefined, "size"],
      ["deflate", coded("deflate", bombs.deflate), undefined, "size"],
      ["gzip in gzip", coded("gzip, gzip", nested), undefined, "size"],
      ["br in gzip", coded("br, gzip", gzipSync(bombs.br)), undefined, "size"],
      ["gzip in gzip in gzip", coded("gzip, gzip, gzip", gzipSync(nested)), undefined, "size"],
      ["endless", endless(`${ok}\r\n`, "x".repeat(60_000)), undefined, "size"],
      ["endless chunks", endless(`${ok}transfer-encoding: chunked\r\n\r\n`, `ea60\r\n${"x".repeat(60_000)}\r\n`), undefined, "size"],
      ["robots.txt in gzip", home, coded("gzip", bombs.gzip), "ok"],
      ["robots.txt in br", home, coded("br", bombs.br), "ok"],
      ["robots.txt without end", home, endless(`${ok}\r\n`, "# nothing\n".repeat(6_000)), "ok"],
      ["a sitemap in gzip", sitemap(coded("gzip", bombs.gzip)), "sitemap", "ok"],
      ["a sitemap in br", sitemap(coded("br", bombs.br)), "sitemap", "ok"],
      ["a packed sitemap", sitemap(packed), "sitemap", "ok"],
      [
        "a packed sitemap in gzip",
        sitemap(page(nested, { "content-encoding": "gzip", "content-type": "application/gzip" })),
        "sitemap",
        "ok",
      ],
      ["a sitemap without end", sitemap(endless(`${ok}\r\n`, "<url><loc>http://a.test/</loc></url>".repeat(2_000))), "sitemap", "ok"],
    ];
    const web = await serveRaw(
      hosts.map(([, answer]) => answer),
      (host) => (hosts[host]?.[2] === "sitemap" ? `Sitemap: ${web.at(host, "/sitemap.xml")}\n` : (hosts[host]?.[2] as Answer | undefined)),
    );
    const seeds = hosts.map((_, host) => web.at(host));
    const options = [
      "--db",
      folder.file("bombs.db"),
      "-q",
      "--json",
      "--rate-limit",
      "none",
      "--max-concurrent",
      "8",
      "--retries",
      "0",
      "--timeout",
      "30s",
    ];
    const ended = await nuthatch(["crawl", ...seeds, ...options], { env: small });
    await web.close();
    const { stall, peak } = watched(ended);
    process.stdout.write(`bombs: peak ${Math.round(peak / MB)} MiB, longest stall ${Math.round(stall)} ms\n`);
    expect(ended.signal).toBeNull();
    expect(JSON.parse(ended.stdout).stopReason).toBe("finished");
    const fates = new Map(
      query(folder.file("bombs.db"), "SELECT url, reason FROM decision").map((row) => [String(row.url), String(row.reason)]),
    );
    expect(hosts.map(([name], host) => [name, fates.get(seeds[host]!)])).toEqual(hosts.map(([name, , , expected]) => [name, expected]));
    expect(peak).toBeLessThan(512 * MB);
    expect(stall).toBeLessThan(1000);
  });

  test("10,000 malformed pages are all stored, and memory stays flat", async () => {
    using folder = tempFolder();
    const PAGES = 10_000;
    const doors = Array.from({ length: PAGES }, (_, n) => `<a href="/m/${n}">${n}</a>`).join("");
    const site = await serveSite(
      ({ path }) => (path === "/" ? doors : path.startsWith("/m/") ? { body: malformed(Number(path.slice(3))) } : undefined),
      { address: "127.0.5.60" },
    );
    const options = ["--db", folder.file("bad.db"), "-q", "--json", "--rate-limit", "none", "--per-host", "8", "--max-concurrent", "8"];
    const ended = await nuthatch(["crawl", `${site.origin}/`, ...options, "--max-pages", "none", "--max-depth", "1"], { env: small });
    await site.close();
    const { stats, stopReason } = JSON.parse(ended.stdout);
    expect(stopReason).toBe("finished");
    expect(stats.pages).toBe(PAGES + 1);
    expect(stats.failed).toBe(0);
    expect(Number(query(folder.file("bad.db"), "SELECT count(*) AS pages FROM page WHERE version_id IS NOT NULL")[0]?.pages)).toBe(
      PAGES + 1,
    );
    const { peak, stall, samples } = watched(ended);
    const mean = (part: readonly number[]) => part.reduce((sum, rss) => sum + rss, 0) / part.length;
    const quarter = Math.floor(samples.length / 4);
    const [second, last] = [mean(samples.slice(quarter, 2 * quarter)), mean(samples.slice(-quarter))];
    process.stdout.write(
      `malformed: ${Math.round(second / MB)} → ${Math.round(last / MB)} MiB, peak ${Math.round(peak / MB)} MiB, longest stall ${Math.round(stall)} ms\n`,
    );
    expect(last).toBeLessThan(1.25 * second);
    expect(peak).toBeLessThan(512 * MB);
    expect(stall).toBeLessThan(1000);
  });
});
