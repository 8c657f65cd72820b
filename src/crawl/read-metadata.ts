import {
  blockHashes,
  EXTRACTOR_VERSION,
  evidenceOf,
  metadataOf,
  PREVIEW,
  type SourceMemory,
  valuesOf,
  viewTree,
} from "../extract/index.ts";
import { cut, type HtmlElement } from "../parse/index.ts";
import type { Found, ReadMetadata } from "../records.ts";
import { hostOf } from "../url/index.ts";
import { packText } from "./pack.ts";

/** Where it is less sure which text is the main one, a page is found by all of it. */
const SURE = 0.5;

export interface MetadataSetup {
  readonly cascade: "weighed" | "classic";
  /** Topics of the site's own. */
  readonly topics: readonly string[];
  /** What hosts have taught about their sources. */
  readonly memories: ReadonlyMap<string, SourceMemory>;
}

interface PageTree {
  readonly tree: HtmlElement;
  readonly url: string;
  readonly charset: string;
  readonly now: number;
  /** What the reader saw in passing: a page without a better name keeps this one. */
  readonly title: Found<string> | undefined;
  readonly pageType: Found<string> | undefined;
}

export interface MetadataReading {
  readonly metadata: ReadMetadata;
  /** The main text, where it is sure enough which that is. */
  readonly mainText: string | undefined;
}

/** What a page says about itself, ready for the store. A page that defeats the extractor is a page without metadata, no more. */
export function readMetadata({ tree, url, charset, now, title, pageType }: PageTree, setup: MetadataSetup): MetadataReading | undefined {
  try {
    const { metadata, main } = metadataOf(viewTree(tree, { url, charset, now, memory: setup.memories.get(hostOf(url)) }), setup);
    const read: ReadMetadata = {
      values: { ...(title && { title: { ...title, confidence: 0 } }), ...valuesOf(metadata), ...(pageType && { type: pageType }) },
      verdict: metadata.verdict,
      preview: cut(metadata.text.value ?? "", PREVIEW),
      evidence: packText(evidenceOf(metadata)),
      blocks: blockHashes(main),
      extractor: EXTRACTOR_VERSION,
    };
    const { value, confidence } = metadata.text;
    return { metadata: read, mainText: value !== null && confidence >= SURE ? value : undefined };
  } catch {
    return undefined; // whatever it was, the page itself was read
  }
}
