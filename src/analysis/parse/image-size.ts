/** The dimensions of a picture, from its first bytes. */

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** This many bytes are enough to contain the dimensions: a JPEG may have a colour profile and a thumbnail before them. */
export const IMAGE_HEAD = 64 * 1024;

/** Undefined for unknown formats, and for pictures cut before their dimensions. */
export function imageSizeOf(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = formats.find(([isIt]) => isIt(bytes))?.[1](view, bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

type Read = (view: DataView, bytes: Uint8Array) => ImageSize | undefined;

const formats: readonly (readonly [isIt: (bytes: Uint8Array) => boolean, read: Read])[] = [
  [(bytes) => says(bytes, 1, "PNG\r\n"), inPng],
  [(bytes) => bytes[0] === 0xff && bytes[1] === 0xd8, inJpeg],
  [(bytes) => says(bytes, 0, "GIF8"), (view) => pair(view, 10, () => [view.getUint16(6, true), view.getUint16(8, true)])],
  [(bytes) => says(bytes, 0, "RIFF") && says(bytes, 8, "WEBP"), inWebp],
  [(bytes) => says(bytes, 4, "ftyp"), inHeif],
  [(bytes) => says(bytes, 0, "BM"), (view) => pair(view, 26, () => [view.getInt32(18, true), Math.abs(view.getInt32(22, true))])],
  [() => true, (_, bytes) => inSvg(bytes)],
];

function says(bytes: Uint8Array, at: number, text: string): boolean {
  for (let place = 0; place < text.length; place++) if (bytes[at + place] !== text.charCodeAt(place)) return false;
  return true;
}

/** Width and height, if the bytes up to `end` are available. */
function pair(view: DataView, end: number, read: () => [width: number, height: number]): ImageSize | undefined {
  if (view.byteLength < end) return undefined;
  const [width, height] = read();
  return { width, height };
}

function inPng(view: DataView): ImageSize | undefined {
  return pair(view, 24, () => [view.getUint32(16), view.getUint32(20)]);
}

/** Walks over the segments; the frame header has the size (ITU T.81, B.2.2). */
function inJpeg(view: DataView): ImageSize | undefined {
  for (let at = 2; at + 4 <= view.byteLength; ) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return undefined;
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      const start = at;
      return pair(view, start + 9, () => [view.getUint16(start + 7), view.getUint16(start + 5)]);
    }
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

/** RFC 9649: lossy, lossless and extended format. */
function inWebp(view: DataView, bytes: Uint8Array): ImageSize | undefined {
  const little24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (says(bytes, 12, "VP8X")) return pair(view, 30, () => [little24(24) + 1, little24(27) + 1]);
  if (says(bytes, 12, "VP8 ")) return pair(view, 30, () => [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]);
  if (!says(bytes, 12, "VP8L")) return undefined;
  return pair(view, 25, () => {
    const packed = view.getUint32(21, true);
    return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1];
  });
}

/** AVIF and HEIC: the largest size among the items is the picture's; the others are thumbnails and tiles. */
function inHeif(view: DataView, bytes: Uint8Array): ImageSize | undefined {
  let largest: ImageSize | undefined;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, IMAGE_HEAD));
  for (let at = head.indexOf("ispe"); at >= 0 && at + 16 <= head.length; at = head.indexOf("ispe", at + 4)) {
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (size.width * size.height > (largest ? largest.width * largest.height : 0)) largest = size;
  }
  return largest;
}

/** From its first tag: the width and height, or the size of the viewBox. */
function inSvg(bytes: Uint8Array): ImageSize | undefined {
  const head = new TextDecoder().decode(bytes.subarray(0, IMAGE_HEAD));
  const start = head.search(/<svg[\s>]/i);
  if (start < 0) return undefined;
  const tag = head.slice(start, Math.min(start + 4096, head.indexOf(">", start) + 1 || head.length));
  const [width, height] = ["width", "height"].map((name) => inPixels(attribute(tag, name)));
  if (width !== undefined && height !== undefined) return { width, height };
  const box = (attribute(tag, "viewbox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return box.length === 4 && box.every(Number.isFinite) ? { width: Math.round(box[2]!), height: Math.round(box[3]!) } : undefined;
}

function attribute(tag: string, name: string): string | undefined {
  for (const [, found, double, single] of tag.matchAll(/\s([a-z:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi))
    if (found!.toLowerCase() === name) return double ?? single;
  return undefined;
}

const inPixels = (text: string | undefined): number | undefined => {
  const [, number] = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(text ?? "") ?? [];
  return number === undefined ? undefined : Math.round(Number(number));
};
