/** What a context is made of, before anybody has chosen a form for it. */
import type { Heading, Section } from "./outline.ts";
import type { SectionName } from "./section-names.ts";

export interface PackPage {
  readonly url: string;
  readonly title: string;
  /** Plain values, without provenance: `metadata` in the document. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** 0–1; 1 for the root. */
  readonly relevance: number;
  /** The words of the link that led here. */
  readonly anchor: string;
  /** When this version of the page was first seen. */
  readonly since: string;
  /** Characters of text that nobody sees who looks at the page: they were left out. Missing where there are few. */
  readonly hidden?: number;
}

/** A passage that answers one of the four questions, with every page that says it. */
export interface PackSection {
  readonly name: string;
  readonly content: string;
  readonly id: string;
  readonly source: string;
  readonly since: string;
  /** Other pages that say the same. */
  readonly also: readonly string[];
}

export interface Pack {
  readonly root: PackPage;
  readonly linked: readonly PackPage[];
  /** The questions somebody asked for; the others have no sections. */
  readonly wanted: readonly SectionName[];
  readonly sections: Readonly<Record<SectionName, readonly PackSection[]>>;
  /** Links that were chosen and could not be had: one of them never spoils the rest. */
  readonly failed: readonly { readonly url: string; readonly relevance: number; readonly reason: string; readonly rule: string }[];
}
