/** Answers that no honest server sends, each to a crawl of its own process: its main thread is never busy for long, and it ends by itself. */
import { afterAll, expect, test } from "vitest";
import { nuthatch, tempFolder } from "../cli.ts";
import { codings, framing, redirects } from "../hostile/bad-bytes.ts";
import { chunkedBodies, headerLines, labels, moves } from "../hostile/odd-http.ts";
import { type RawWeb, serveRaw } from "../hostile/raw-web.ts";

/** Longest time that the main thread may be busy without a pause, in milliseconds. */
const MOST_BUSY = 250;
/** Megabytes of the whole process. */
const MOST_MEMORY = 600;

const env = { NODE_OPTIONS: `--import=${new URL("./watch-main.mjs", import.meta.url).href}` };
const webs: RawWeb[] = [];
afterAll(() => Promise.all(webs.map((web) => web.close())));

test.each([
  ["codings", codings],
  ["framing", framing],
  ["redirects", redirects],
  ["header lines", headerLines],
  ["chunked bodies", chunkedBodies],
  ["further redirects", moves],
  ["labels of codings", labels],
])(
  "no answer stops the main thread of a crawl: %s",
  async (_, cases) => {
    using folder = tempFolder();
    const web = await serveRaw(cases.map(([, answer]) => answer));
    webs.push(web);
    const seeds = cases.map((_, host) => web.at(host));
    const options = ["--rate-limit", "none", "--retries", "0", "--timeout", "4s", "--max-depth", "1", "-q", "--db", folder.file("site.db")];
    const { code, signal, stderr } = await nuthatch(["crawl", ...seeds, ...options], { env });
    expect([signal, [0, 3, 4, 10].includes(code ?? -1)], stderr.slice(-500)).toEqual([null, true]);
    const { busy, peak } = JSON.parse(/^WATCHED (.*)$/m.exec(stderr)![1]!) as { busy: number; peak: number };
    expect(busy, "milliseconds without a pause").toBeLessThan(MOST_BUSY);
    expect(peak, "megabytes").toBeLessThan(MOST_MEMORY);
  },
  120_000,
);
