import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Hash64, Link, LinkKind } from "../records.ts";
import { hash64 } from "../url/index.ts";

/** Quality 1 costs a third of gzip's time and packs as well; a small window keeps its memory small. */
export const pack = (bytes: Uint8Array): Buffer =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });

/** No URL and no tidied text holds a line break, so a field is a line: cheaper than JSON, and it packs better. */
const FIELDS = 8;
const plain = (text: string) => (text.includes("\n") ? text.replaceAll("\n", " ") : text);

/**
 * All links of one page version as one packed document: a row per link would cost ten times the page itself. Without its
 * context, a link is its URL and no more, which is all that following it takes.
 */
export function packLinks(links: readonly Link[], withContext: boolean): Uint8Array {
  let text = "";
  for (const { url, key, kind, text: label, title, heading, block, rel } of links) {
    text += `${url}\n${key === url ? "" : key}\n${kind}\n`;
    text += withContext ? `${plain(label)}\n${plain(title)}\n${plain(heading)}\n${plain(block)}\n${plain(rel)}\n` : "\n\n\n\n\n";
  }
  return pack(Buffer.from(text));
}

export function unpackLinks(packed: Uint8Array, seed: Hash64): Link[] {
  const lines = brotliDecompressSync(packed).toString().split("\n");
  const links: Link[] = [];
  for (let at = 0; at + FIELDS < lines.length; at += FIELDS) {
    const [url, ownKey, kind, text, title, heading, block, rel] = lines.slice(at, at + FIELDS) as [
      string,
      string,
      LinkKind,
      string,
      string,
      string,
      string,
      string,
    ];
    const key = ownKey || url;
    links.push({ url, key, hash: hash64(key, seed), kind, text, title, heading, block, rel, position: links.length });
  }
  return links;
}
