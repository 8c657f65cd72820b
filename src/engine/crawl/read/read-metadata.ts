import {
  blockHashes,
  EXTRACTOR_VERSION,
  evidenceOf,
  metadataOf,
  PREVIEW,
  type SourceMemory,
  valuesOf,
  viewTree,
} from "../../../analysis/extract/index.ts";
import { cut, type HtmlElement } from "../../../analysis/parse/index.ts";
import { hostOf } from "../../../analysis/url/index.ts";
import type { Found, ReadMetadata } from "../../../core/records.ts";
import { packText } from "./pack.ts";

/** Below this confidence in the main text, the search index gets all text of the page. */
const MIN_CONFIDENCE = 0.5;

export interface MetadataSetup {
  readonly cascade: "weighed" | "classic";
  /** Topics configured for the site. */
  readonly topics: readonly string[];
  /** What was learned about the sources of each host. */
  readonly memories: ReadonlyMap<string, SourceMemory>;
}

interface PageTree {
  readonly tree: HtmlElement;
  readonly url: string;
  readonly charset: string;
  readonly now: number;
  /** The title from the main parse, used if the extractor finds no better one. */
  readonly title: Found<string> | undefined;
  readonly pageType: Found<string> | undefined;
}

export interface MetadataReading {
  readonly metadata: ReadMetadata;
  /** The main text, if its confidence is high enough. */
  readonly mainText: string | undefined;
}

/** Extracts a page's metadata for the store. If the extractor fails, the page is stored without metadata. */
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
    return { metadata: read, mainText: value !== null && confidence >= MIN_CONFIDENCE ? value : undefined };
  } catch {
    return undefined; // the page itself was read, so any error costs only the metadata
  }
}
