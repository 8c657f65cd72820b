/** PDFs that no program writes: each has its text or a reason, within the limits of time and memory. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pdfMarkdown } from "../../dist/src/features/read-page/pdf-text.js";
import { aPdf } from "../a-pdf.ts";
import { nuthatch } from "../cli.ts";
import { pdfs } from "../hostile/pdfs.ts";
import { numRuns } from "./soup.ts";

const MOST_BUSY = 250;
const MOST_MEMORY = 600;
const env = { NODE_OPTIONS: `--import=${new URL("./watch-main.mjs", import.meta.url).href}`, NUTHATCH_RATE_LIMIT: "none" };

const server = createServer(({ url = "" }, response) => {
  const pdf = pdfs[Number(url.slice(1))]?.[1];
  if (url.length < 2 || !pdf) return void response.writeHead(404).end();
  response.setHeader("content-type", "application/pdf").end(pdf);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.36.13", resolve)));
afterAll(() => void server.close());

test.each(pdfs.map(([name], at) => [name, at] as const))(
  "%s",
  async (_, at) => {
    const url = `http://127.0.36.13:${(server.address() as AddressInfo).port}/${at}`;
    const { code, signal, stdout, stderr } = await nuthatch(["context", url, "--no-follow", "--db", ":memory:"], { env });
    expect([signal, [0, 3].includes(code ?? -1)], stderr.slice(-500)).toEqual([null, true]);
    if (code !== 0) expect(stderr).toMatch(/^nuthatch: .*PDF/m);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
    const { busy, peak } = JSON.parse(/^WATCHED (.*)$/m.exec(stderr)![1]!) as { busy: number; peak: number };
    expect(busy, "milliseconds without a pause").toBeLessThan(MOST_BUSY);
    expect(peak, "megabytes").toBeLessThan(MOST_MEMORY);
  },
  60_000,
);

test("a PDF with bytes changed anywhere has its text or a reason", async () => {
  const whole = aPdf(["Hoist the blue flag.", "Then lower it."]);
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(changes, async (places) => {
      const pdf = Buffer.from(whole);
      for (const [at, byte] of places) pdf[at] = byte;
      const answer = await pdfMarkdown(pdf);
      if ("trouble" in answer) expect(answer.trouble).toMatch(/^a PDF /);
      else expect(answer.markdown.length).toBeLessThan(1000);
    }),
    { numRuns: Math.ceil(numRuns / 500) },
  );
}, 600_000);
