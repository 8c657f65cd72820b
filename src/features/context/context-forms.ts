import {
  type ContextDocument,
  consolidate,
  type Pack,
  packJson,
  packLlms,
  packMarkdown,
  type SectionName,
  sectionNames,
} from "../../analysis/context/index.ts";
import { SetupError } from "../../engine/config/index.ts";

export type {
  ContextDocument,
  FailedLinkDocument,
  Heading,
  LinkedPageDocument,
  Pack,
  PackPage,
  PackSection,
  PageDocument,
  PartDocument,
  SectionDocument,
  SectionName,
} from "../../analysis/context/index.ts";
export { sectionNames, tokensOf } from "../../analysis/context/index.ts";

export const contextFormats = ["markdown", "json", "llms"] as const;
export type ContextFormat = (typeof contextFormats)[number];

export interface ContextShape {
  /** Only these of the four sections. */
  readonly sections?: readonly SectionName[] | undefined;
  readonly maxTokens?: number | undefined;
}

/** Validation for JavaScript callers, whose arguments no compiler has checked. */
export function checkShape({ sections = [], maxTokens = 0 }: ContextShape): void {
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 0)
    throw new SetupError(`maxTokens: ${String(maxTokens)} is not a whole number`, "maxTokens: 8000");
  const wrong = [...sections].find((name) => !sectionNames.includes(name));
  if (wrong !== undefined) throw new SetupError(`there is no section ${String(wrong)}`, `sections: one of ${sectionNames.join(", ")}`);
}

const withSections = (pack: Pack, { sections }: ContextShape): Pack =>
  sections === undefined ? pack : consolidate(pack.root, pack.linked, pack.failed, sections);

/** For people and models. */
export const contextMarkdown = (pack: Pack, shape: ContextShape = {}): string => packMarkdown(withSections(pack, shape), shape.maxTokens);

/** As the JSON document of a context. */
export const contextJson = (pack: Pack, shape: ContextShape = {}): ContextDocument => packJson(withSections(pack, shape), shape.maxTokens);

/** In the llms.txt format (llmstxt.org): titles and links. */
export const contextLlms = (pack: Pack, shape: ContextShape = {}): string => packLlms(withSections(pack, shape), shape.maxTokens);
