import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeBytes,
  encodingFromLabel,
  headerCharset,
  parseLastmod,
  parseMime,
  parseRefresh,
  prescan,
  sniffType,
} from "../../src/analysis/parse/index.ts";
import { decodeBody, parseRetryAfter } from "../../src/engine/fetch/index.ts";
import { isWhole, numRuns, soup } from "./soup.ts";

const DAY = 86_400_000;

test("any content type is read, and says the same in another case", () => {
  const types = soup('text/html text / html ; charset= CHARSET= "utf-8" utf-8 latin1 \\ " , = boundary=x __proto__=y'.split(" "), 8);
  fc.assert(
    fc.property(types, fc.uint8Array({ maxLength: 40 }), (type, bytes) => {
      const mime = parseMime(type);
      if (mime) expect(parseMime(type.toUpperCase())?.essence ?? mime.essence).toBe(mime.essence);
      expect(typeof (headerCharset(type) ?? "")).toBe("string");
      expect(typeof (encodingFromLabel(type) ?? "")).toBe("string");
      expect(["html", "markdown", "text", "feed", "sitemap", "binary"]).toContain(sniffType(bytes, type, "http://a.test/x"));
    }),
    { numRuns },
  );
});

test("any bytes are decoded to whole characters under any label", () => {
  const labels = fc.constantFrom(
    "utf-8",
    "utf-16le",
    "utf-16be",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "gb18030",
    "big5",
    "euc-kr",
    "windows-1252",
    "koi8-r",
    "macintosh",
    "x-user-defined",
    "replacement",
    "utf-7",
    "nonsense",
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), labels, fc.constantFrom("html", "xml", "text"), (bytes, label, kind) => {
      const { text, charset } = decodeBytes(bytes, `text/html; charset=${label}`, kind);
      expect(isWhole(text)).toBe(true);
      expect(charset).not.toBe("");
      prescan(bytes);
    }),
    { numRuns },
  );
});

test("Retry-After is a time within a day, or nothing", () => {
  const values = soup("0 7 120 999999999999999999999 -1 1.5 Sun, 06 Nov 1994 08:49:37 GMT Sunday, 06-Nov-94 Nov  6 : inf".split(" "), 8);
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 4e12 }), (value, now) => {
      const wait = parseRetryAfter(value, now) ?? 0;
      expect(wait >= 0 && wait <= DAY).toBe(true);
    }),
    { numRuns },
  );
});

test("refreshes and dates are read without a throw", () => {
  const values = soup("0 5 ; , url= URL = ' \" http://a.test/ 2024-05-06 T12:00:00 Z +25:00 -0001 2024".split(" "), 8);
  fc.assert(
    fc.property(values, (value) => {
      expect(parseRefresh(value)?.seconds ?? 0).toBeGreaterThanOrEqual(0);
      expect(Number.isNaN(parseLastmod(value) ?? 0)).toBe(false);
    }),
    { numRuns },
  );
});

const coders: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  Deflate: deflateRawSync,
};
const bodies = fc.uint8Array({ minLength: 1, maxLength: 400 });
const stacks = fc.array(fc.constantFrom(...Object.keys(coders)), { minLength: 1, maxLength: 3 });
const coded = (body: Uint8Array, stack: readonly string[]) => stack.reduce((bytes, coding) => coders[coding]!(bytes), body);
const runs = Math.ceil(numRuns / 10);

test("what was coded is decoded, up to the cap", async () => {
  await fc.assert(
    fc.asyncProperty(bodies, stacks, fc.integer({ min: 1, max: 500 }), async (body, stack, cap) => {
      const decoded = await decodeBody(coded(body, stack), stack.join(", "), cap);
      // A last coding without a header may look like one with a header: then it is broken, never wrong.
      if (decoded.kind === "broken") expect(stack).toContain("Deflate");
      else expect(Buffer.from(decoded.bytes)).toEqual(Buffer.from(body.subarray(0, cap)));
      if (decoded.kind === "whole") expect(body.length).toBeLessThanOrEqual(cap);
    }),
    { numRuns: runs },
  );
});

test("a body cut short is never whole", async () => {
  await fc.assert(
    fc.asyncProperty(bodies, stacks, fc.double({ min: 0, max: 1, noNaN: true }), async (body, stack, share) => {
      const whole = coded(body, stack);
      const cut = whole.subarray(0, Math.max(1, Math.floor(whole.length * share)));
      fc.pre(cut.length < whole.length);
      const decoded = await decodeBody(cut, stack.join(","), 10_000);
      expect(decoded.kind).toBe("broken");
    }),
    { numRuns: runs },
  );
});

test("any bytes under any coding give an answer", async () => {
  const codings = soup(["gzip", "br", "deflate", "identity", "zstd", "compress", ",", " ", ";q=1"], 6);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), codings, async (bytes, coding) => {
      expect(["whole", "over", "broken"]).toContain((await decodeBody(bytes, coding, 1000)).kind);
    }),
    { numRuns: runs },
  );
});
