import { pageParts, parseDocument } from "../../analysis/parse/index.ts";
import {
  type Content,
  type ContentChanges,
  type ContentLink,
  changesBetween,
  contentOf,
  type Ignored,
  type IgnoredKind,
  maskOf,
  NoiseMemory,
  withoutIgnored,
} from "../../analysis/recrawl/index.ts";
import type { Hash64 } from "../../core/records.ts";
import { unpackLinks } from "../../engine/crawl/index.ts";

/** A version of a page as it is stored. */
export interface StoredContent {
  readonly bytes: Uint8Array | undefined;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly links: Uint8Array | undefined;
  readonly title: string;
  readonly at: number;
}

export interface ChangesRequest {
  readonly before: StoredContent;
  readonly now: StoredContent;
  readonly hashSeed: Hash64;
  /** Selects the known noise: the judged run, template and site; undefined to include noise. */
  readonly noise: { readonly runId: number; readonly template: string | undefined; readonly site: string | undefined } | undefined;
  readonly ignored: readonly Ignored[];
  readonly kinds: readonly IgnoredKind[];
}

type ShownLink = Pick<ContentLink, "url" | "text">;

export type PageChanges = Omit<ContentChanges, "linksAdded" | "linksRemoved"> & {
  readonly linksAdded: readonly ShownLink[];
  readonly linksRemoved: readonly ShownLink[];
};

/** The differences between two versions, without noise and ignored parts. */
export function pageChanges({ before, now, hashSeed, noise, ignored, kinds }: ChangesRequest): PageChanges {
  const mask = maskOf(ignored, kinds);
  const [old, fresh] = [before, now].map((version) => {
    const content = readContent(version, hashSeed, noise === undefined);
    return mask ? withoutIgnored(content, mask) : content;
  }) as [Content, Content];
  const known = noise && { template: new NoiseMemory(noise.template, noise.runId), site: new NoiseMemory(noise.site, noise.runId) };
  const changes = changesBetween(old, fresh, { before: before.at, now: now.at }, known);
  return { ...changes, linksAdded: changes.linksAdded.map(shownLink), linksRemoved: changes.linksRemoved.map(shownLink) };
}

const shownLink = ({ url, text }: ContentLink): ShownLink => ({ url, text });

/** The content as the crawl itself compares it; without a body, only its links. */
function readContent({ bytes, url, contentType, links, title }: StoredContent, hashSeed: Hash64, wantsAll: boolean): Content {
  const document = bytes && parseDocument({ bytes, url, contentType, as: "page", embeddedLinks: false, withTree: true });
  return document ? contentOf(pageParts(document), url, wantsAll) : { title, blocks: [], links: links ? unpackLinks(links, hashSeed) : [] };
}
