/** The data of a context, independent of its output format. */
import type { Heading, Section } from "./outline.ts";
import type { SectionName } from "./section-names.ts";

export interface PackPage {
  readonly url: string;
  readonly title: string;
  /** Plain values without sources: `metadata` in the document. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** 0–1; 1 for the root. */
  readonly relevance: number;
  /** Text of the link to this page. */
  readonly anchor: string;
  /** When this version of the page was first seen. */
  readonly since: string;
  /** Number of characters of invisible text that were left out. Absent if there are few. */
  readonly hidden?: number;
}

/** A passage that answers one of the four questions, with all pages that contain it. */
export interface PackSection {
  readonly name: string;
  readonly content: string;
  readonly id: string;
  readonly source: string;
  readonly since: string;
  /** Other pages with the same passage. */
  readonly also: readonly string[];
}

export interface Pack {
  readonly root: PackPage;
  readonly linked: readonly PackPage[];
  /** The requested questions; the others have no sections. */
  readonly wanted: readonly SectionName[];
  readonly sections: Readonly<Record<SectionName, readonly PackSection[]>>;
  /** Links that were selected but could not be fetched; one failure does not affect the others. */
  readonly failed: readonly { readonly url: string; readonly relevance: number; readonly reason: string; readonly rule: string }[];
}
