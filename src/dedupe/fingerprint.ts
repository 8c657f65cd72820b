/** How a page is recognised: by where it leads and what it is called there, by its words, and by how its words lie together. */
import { hash } from "node:crypto";
import type { Fingerprint } from "../records.ts";
import { Hash } from "./hash.ts";
import { simhash } from "./simhash.ts";

/** Without nearness, texts can be told the same or not, and no more. */
export function fingerprint(input: { links: readonly { key: string; text: string }[]; text: string }, withNearness = true): Fingerprint {
  const links = new Hash();
  for (const { key, text } of input.links) {
    links.add(key);
    links.mark();
    links.add(text);
    links.mark();
  }
  const text = new Hash();
  text.add(input.text);
  return { links: links.hex(), text: text.hex(), simhash: withNearness ? simhash(input.text) : "" };
}

/** The name of a body: 128 bits of its SHA-256, in hex. */
export function contentHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex").slice(0, 32);
}
