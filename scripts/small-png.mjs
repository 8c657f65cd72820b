// A picture of a screen in 256 colours, the frequent ones as they are: a third of the size, and nobody sees it.
import { constants, crc32, deflateSync } from "node:zlib";

/** Runs in the page, which can read pictures: its pixels as places in a palette. */
async function inPalette(base64) {
  const ALMOST = 48;
  const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
  const counts = new Map();
  const colours = new Uint32Array(data.length / 4);
  for (let at = 0; at < colours.length; at++) {
    colours[at] = (data[at * 4] << 16) | (data[at * 4 + 1] << 8) | data[at * 4 + 2];
    counts.set(colours[at], (counts.get(colours[at]) ?? 0) + 1);
  }
  const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const far = (one, other) => parts(one).reduce((sum, part, at) => sum + (part - parts(other)[at]) ** 2, 0);
  // A colour that is almost there already needs no place of its own; a rare one that stands alone does.
  const palette = [];
  for (const [colour] of [...counts].sort((a, b) => b[1] - a[1]))
    if (palette.length < 256 && palette.every((known) => far(colour, known) > ALMOST)) palette.push(colour);
  const nearest = (colour) => palette.reduce((best, known, at) => (far(colour, known) < far(colour, palette[best]) ? at : best), 0);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour)]));
  return {
    width: bitmap.width,
    height: bitmap.height,
    palette: palette.flatMap(parts),
    pixels: Array.from(colours, (colour) => places.get(colour)),
  };
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

export async function smallPng(browser, png) {
  const blank = await browser.newPage();
  const { width, height, palette, pixels } = await blank.evaluate(inPalette, png.toString("base64"));
  await blank.close();
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.slice(y * width, (y + 1) * width), y * (width + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette)),
    chunk("IDAT", deflateSync(rows, { level: constants.Z_BEST_COMPRESSION })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
