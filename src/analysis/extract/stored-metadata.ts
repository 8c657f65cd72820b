/** Metadata as it is stored: the known value of each field, and separately the whole record with rejected candidates as evidence. */

import type { Metadata, MetaField, PageMetadata } from "../../core/records.ts";
import { cut } from "../parse/index.ts";
import { nothing } from "./weigh.ts";

/** Length of the stored preview of a text, in characters. */
export const PREVIEW = 2000;
const MAX_CANDIDATE_LENGTH = 300;
const MAX_CANDIDATES = 20;

/** The fields that have a value, in the order people read them. */
export const fieldNames = [
  "title",
  "description",
  "image",
  "author",
  "publishedAt",
  "modifiedAt",
  "lang",
  "siteName",
  "canonical",
  "topics",
] as const;

export function valuesOf(metadata: Metadata): PageMetadata {
  const found: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const { value, source, confidence } = metadata[name];
    if (value !== null) found[name] = { value, source, confidence };
  }
  const { wordCount, readingTime, text } = metadata;
  if (text.value !== null) {
    found.wordCount = { value: wordCount, source: text.source };
    found.readingTime = { value: readingTime, source: text.source };
  }
  return found as PageMetadata;
}

/** The record as JSON, without what is stored elsewhere and without empty fields; long candidates are cut. */
export function evidenceOf(metadata: Metadata): string {
  const { wordCount, readingTime, verdict, structured } = metadata;
  const fields = [...fieldNames, "text" as const].flatMap((name) => {
    const field = metadata[name] as MetaField<unknown>;
    if (field.value === null && field.candidates.length === 0) return [];
    return [[name, name === "text" ? { ...shortened(field), value: null } : shortened(field)] as const];
  });
  return JSON.stringify({ ...Object.fromEntries(fields), wordCount, readingTime, verdict, structured });
}

/** The inverse of `evidenceOf`; the text is the stored preview. */
export function recordFrom(evidence: string, preview: string): Metadata {
  const record = JSON.parse(evidence) as Partial<Metadata>;
  const empty = Object.fromEntries([...fieldNames, "text"].map((name) => [name, { ...nothing, candidates: [] }]));
  const { text, ...otherFields } = { ...empty, ...record } as Metadata;
  return { ...otherFields, text: { ...text, value: preview === "" ? null : preview } };
}

const shortened = <T>(field: MetaField<T>): MetaField<T> => ({
  ...field,
  candidates: field.candidates.slice(0, MAX_CANDIDATES).map((candidate) => ({ ...candidate, value: shortenedValue(candidate.value) })),
});

function shortenedValue<T>(value: T): T {
  if (typeof value === "string") return cut(value, MAX_CANDIDATE_LENGTH) as T & string;
  return Array.isArray(value) ? (value.slice(0, MAX_CANDIDATES).map(shortenedValue) as T & unknown[]) : value;
}
