/**
 * The JSON document of a context, with the field names that consuming programs expect. Our own additions: `url` and `first_seen` of every
 * page and section, `anchor_text`, `also_on`, `hidden_text_left_out` and `failed_links`.
 */
import type { Heading } from "./outline.ts";
import type { SectionName } from "./section-names.ts";

export interface ContextDocument {
  readonly root_page: PageDocument;
  readonly linked_pages: readonly LinkedPageDocument[];
  readonly global_sections: Readonly<Record<SectionName, readonly SectionDocument[]>>;
  readonly failed_links: readonly FailedLinkDocument[];
}

export interface PageDocument {
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly headings: readonly Heading[];
  /** By section id. */
  readonly sections: Readonly<Record<string, PartDocument>>;
  readonly first_seen: string;
  readonly url: string;
  /** Number of characters of hidden text that were left out, if more than a few. */
  readonly hidden_text_left_out?: number;
}

export interface LinkedPageDocument extends PageDocument {
  readonly relevance_score: number;
  readonly anchor_text: string;
}

export interface PartDocument {
  readonly heading: string;
  readonly level: number;
  readonly content: string;
  readonly path: readonly string[];
}

export interface SectionDocument {
  readonly name: string;
  readonly content: string;
  readonly id: string;
  readonly source: string;
  readonly first_seen: string;
  /** Other pages with the same passage. */
  readonly also_on?: readonly string[];
}

export interface FailedLinkDocument {
  readonly url: string;
  readonly relevance_score: number;
  readonly reason: string;
  readonly rule: string;
}
