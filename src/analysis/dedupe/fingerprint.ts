/** The fingerprint of a page: hashes of its links with their texts and of its text, and a simhash of its text. */
import { hash } from "node:crypto";
import type { Fingerprint, Hash64 } from "../../core/records.ts";
import { hashText } from "./text-hash.ts";

/** The link targets of a page: a URL with a leading slash is a path on the origin, and a key is given only if it differs from the URL. */
export interface LinkTargets {
  readonly origin: string;
  readonly urls: string;
  readonly keys: string;
}

export function fingerprint(targets: LinkTargets, links: readonly { text: string }[], text: string): { print: Fingerprint; words: number } {
  const { hash: textHash, simhash, words } = hashText(text);
  return { print: { links: linksHash(targets, links.map((link) => link.text).join("\n")), text: textHash, simhash }, words };
}

/** The fingerprint of a page whose text was not read: the hash of its bytes replaces that of the text. */
export function fingerprintOfBytes(targets: LinkTargets, bytesHash: string): Fingerprint {
  return { links: linksHash(targets, ""), text: bytesHash.slice(0, 16), simhash: "" };
}

function linksHash({ origin, urls, keys }: LinkTargets, texts: string): string {
  const targetList = keys === "" ? urls : withKeys(urls, keys);
  return hash("sha256", `${origin}\0${targetList}\0${texts}`, "hex").slice(0, 16);
}

function withKeys(urls: string, keys: string): string {
  const lines = urls.split("\n");
  return keys
    .split("\n")
    .map((key, at) => key || lines[at])
    .join("\n");
}

/** Text and links in one 64-bit number. */
export function fingerprintHash({ text, links }: Fingerprint): Hash64 {
  const half = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 8), 16);
  return { hi: (half(text, 0) ^ half(links, 8)) >>> 0, lo: (half(text, 8) ^ half(links, 0)) >>> 0 };
}

/** The name of a body: 128 bits of its SHA-256, in hex. */
export function contentHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex").slice(0, 32);
}
