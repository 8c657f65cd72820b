import { describe, expect, test } from "vitest";
import { imageSizeOf } from "./image-size.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : part)));
const big16 = (n: number) => [n >> 8, n & 255];
const big32 = (n: number) => [0, 0, ...big16(n)];
const little16 = (n: number) => [n & 255, n >> 8];
const zeros = (n: number) => Array.from({ length: n }, () => 0);

const pictures: [string, Uint8Array][] = [
  ["PNG", bytes([0x89], "PNG\r\n", [0x1a, 0x0a], big32(13), "IHDR", big32(640), big32(480))],
  ["GIF", bytes("GIF89a", little16(640), little16(480))],
  [
    "JPEG after a profile and filling",
    bytes([0xff, 0xd8, 0xff, 0xe0], big16(6), "JFIF", [0xff, 0xff, 0xc2], big16(17), [8], big16(480), big16(640)),
  ],
  ["WebP, lossy", bytes("RIFF", zeros(4), "WEBPVP8 ", zeros(7), [0x9d, 0x01, 0x2a], little16(640), little16(480))],
  ["WebP, lossless", bytes("RIFF", zeros(4), "WEBPVP8L", zeros(4), [0x2f], [0x7f, 0xc2, 0x77, 0x00])],
  ["WebP with more in it", bytes("RIFF", zeros(4), "WEBPVP8X", zeros(8), [0x7f, 0x02, 0x00], [0xdf, 0x01, 0x00])],
  [
    "AVIF: the largest of its items",
    bytes(zeros(4), "ftypavif", zeros(8), "ispe", zeros(4), big32(64), big32(48), "ispe", zeros(4), big32(640), big32(480)),
  ],
  ["BMP from the top down", bytes("BM", zeros(16), [0x80, 0x02, 0, 0], [0x20, 0xfe, 0xff, 0xff])],
  ["SVG with a size", bytes('<?xml version="1.0"?><svg xmlns="x" width="640px" height=\'480\'>')],
  ["SVG with a box", bytes('<svg viewBox="0 0 640 480" width="100%">')],
];

describe("the size of a picture from its first bytes", () => {
  test.each(pictures)("%s", (_, picture) => expect(imageSizeOf(picture)).toEqual({ width: 640, height: 480 }));

  test.each(pictures)("%s, cut anywhere, is no picture or the same one", (_, picture) => {
    for (let end = 0; end < picture.length; end++) {
      const size = imageSizeOf(picture.subarray(0, end));
      // A cut AVIF may contain only the size of its thumbnail.
      if (size) expect([64, 640]).toContain(size.width);
    }
  });

  const others: [string, Uint8Array][] = [
    ["nothing", bytes()],
    ["a page", bytes("<html><p>no picture")],
    [
      "a JPEG of nothing but filling",
      bytes(
        [0xff, 0xd8],
        Array.from({ length: 1000 }, () => 0xff),
      ),
    ],
    ["a JPEG whose segments lead nowhere", bytes([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0])],
    ["a PNG without size", bytes([0x89], "PNG\r\n", [0x1a, 0x0a], zeros(16))],
    ["an SVG of no width", bytes('<svg viewBox="0 0 none 3">')],
  ];
  test.each(others)("%s has none", (_, picture) => expect(imageSizeOf(picture)).toBeUndefined());

  test("bytes somewhere in a larger buffer are read from where they begin", () => {
    const [, png] = pictures[0]!;
    const larger = new Uint8Array(100);
    larger.set(png, 37);
    expect(imageSizeOf(larger.subarray(37))).toEqual({ width: 640, height: 480 });
  });
});
