import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Hash64, Link, LinkKind } from "../records.ts";
import { hash64 } from "../url/index.ts";

type PackedLink = [url: string, key: string | 0, kind: LinkKind, text: string, title: string, heading: string, block: string, rel: string];

/** Quality 1 costs a third of gzip's time and packs as well; a small window keeps its memory small. */
export const pack = (bytes: Uint8Array): Buffer =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });

/** All links of one page version as one packed document: a row per link would cost ten times the page itself. */
export function packLinks(links: readonly Link[]): Uint8Array {
  const rows = links.map(
    (link): PackedLink => [
      link.url,
      link.key === link.url ? 0 : link.key,
      link.kind,
      link.text,
      link.title,
      link.heading,
      link.block,
      link.rel,
    ],
  );
  return pack(Buffer.from(JSON.stringify(rows)));
}

export function unpackLinks(packed: Uint8Array, seed: Hash64): Link[] {
  const rows = JSON.parse(brotliDecompressSync(packed).toString()) as PackedLink[];
  return rows.map(([url, key, kind, text, title, heading, block, rel], position) => {
    const ownKey = key === 0 ? url : key;
    return { url, key: ownKey, hash: hash64(ownKey, seed), kind, text, title, heading, block, rel, position };
  });
}
