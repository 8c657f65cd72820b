import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeBody, parseCodings } from "./codings.ts";

const text = Buffer.from("the quick brown fox ".repeat(500));
const large = Buffer.alloc(3_000_000, "abcdefghij");
/** Hard to compress, so that the coded form is too large for `decodeQuick`. */
const noise = Buffer.from(Array.from({ length: 200_000 }, (_, i) => Math.imul(i, 2654435761) >>> 24));
const CAP = 5_000_000;
const zeros = gzipSync(Buffer.alloc(20_000_000));

describe("a content coding is undone", () => {
  test.each([
    ["none", "", text, text],
    ["identity", "identity", text, text],
    ["gzip", "gzip", gzipSync(text), text],
    ["gzip by its old name, in capitals", "X-GZIP", gzipSync(text), text],
    ["gzip in two members", "gzip", Buffer.concat([gzipSync(text), gzipSync(text)]), Buffer.concat([text, text])],
    ["gzip of more than fits at once", "gzip", gzipSync(large), large],
    ["gzip from more than fits at once", "gzip", gzipSync(noise), noise],
    ["brotli", "br", brotliCompressSync(text), text],
    ["brotli from more than fits at once", "br", brotliCompressSync(noise), noise],
    ["deflate with its header", "deflate", deflateSync(text), text],
    ["deflate without", "deflate", deflateRawSync(text), text],
    ["a long deflate with its header", "deflate", deflateSync(noise), noise],
    ["a long deflate without", "deflate", deflateRawSync(noise), noise],
    ["two, the last applied first undone", "gzip, br", brotliCompressSync(gzipSync(text)), text],
    ["raw deflate inside gzip", "deflate, gzip", gzipSync(deflateRawSync(text)), text],
    ["three, long", "br, deflate, gzip", gzipSync(deflateSync(brotliCompressSync(noise))), noise],
    ["an empty body needs no coding", "gzip", Buffer.alloc(0), Buffer.alloc(0)],
  ] as [string, string, Buffer, Buffer][])("%s", async (_, coding, bytes, expected) => {
    const decoded = await decodeBody(bytes, coding, CAP);
    expect(decoded.kind).toBe("whole");
    expect(decoded.kind === "whole" && Buffer.from(decoded.bytes).equals(expected)).toBe(true);
  });
});

describe("a body that is not what it says is broken", () => {
  const corrupt = Buffer.from(gzipSync(text));
  corrupt[corrupt.length - 6]! ^= 0xff;
  test.each([
    ["gzip cut short", "gzip", gzipSync(text).subarray(0, -9)],
    ["gzip cut short, long", "gzip", gzipSync(noise).subarray(0, -9)],
    ["gzip with a wrong checksum", "gzip", corrupt],
    ["brotli cut short", "br", brotliCompressSync(text).subarray(0, -2)],
    ["deflate cut short", "deflate", deflateSync(text).subarray(0, -5)],
    ["plain text called gzip", "gzip", text],
    ["plain text called brotli", "br", text],
    ["an unknown coding", "zstd", text],
    ["four codings", "gzip, gzip, gzip, gzip", gzipSync(text)],
    ["a thousand codings", Array(1000).fill("gzip").join(","), gzipSync(text)],
    ["a property of objects is no coding", "__proto__", text],
  ] as [string, string, Buffer][])("%s", async (_, coding, bytes) => {
    expect(await decodeBody(bytes, coding, CAP)).toMatchObject({ kind: "broken" });
  });
});

describe("a bomb is stopped at the cap", () => {
  test.each([
    ["gzip", "gzip", zeros],
    ["brotli", "br", brotliCompressSync(Buffer.alloc(20_000_000))],
    ["deflate", "deflate", deflateSync(Buffer.alloc(20_000_000))],
    ["gzip in gzip", "gzip, gzip", gzipSync(zeros)],
    ["gzip in gzip in gzip", "gzip, gzip, gzip", gzipSync(gzipSync(zeros))],
    ["no coding at all", "", Buffer.alloc(CAP + 1)],
  ] as [string, string, Buffer][])("%s", async (_, coding, bytes) => {
    const decoded = await decodeBody(bytes, coding, CAP);
    expect(decoded.kind).toBe("over");
    expect(decoded.kind === "over" && decoded.bytes.length).toBe(CAP);
  });
});

test("a body exactly as large as the cap is whole", async () => {
  expect(await decodeBody(gzipSync(text), "gzip", text.length)).toMatchObject({ kind: "whole" });
  expect(await decodeBody(gzipSync(text), "gzip", text.length - 1)).toMatchObject({ kind: "over" });
});

test("decoded bytes are alone in their buffer, so that another thread can take them", async () => {
  const decoded = await decodeBody(gzipSync("tiny"), "gzip", CAP);
  expect(decoded.kind === "whole" && decoded.bytes.buffer.byteLength).toBe(4);
});

test("empty and identity codings do not count", () => {
  expect(parseCodings(", gzip, , identity,")).toEqual(["gzip"]);
});
