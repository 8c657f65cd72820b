/**
 * Makes one text of a few pages: selects the links that explain a product, sorts passages under four questions, merges duplicates, fits
 * a budget.
 */
export { fitPassage, tokensOf } from "./budget.ts";
export { consolidate } from "./consolidate.ts";
export type {
  ContextDocument,
  FailedLinkDocument,
  LinkedPageDocument,
  PageDocument,
  PartDocument,
  SectionDocument,
} from "./document.ts";
export { type Heading, type Outline, outlineOf, type Section } from "./outline.ts";
export type { Pack, PackPage, PackSection } from "./pack.ts";
export { type Relevance, type RelevanceView, relevanceOf, type SeenLink } from "./relevance.ts";
export { type SectionName, sectionNames, sectionOfWords } from "./section-names.ts";
export { type ScoredLink, type SelectionLimits, scoreLinks, selectLinks } from "./select-links.ts";
export { packJson } from "./write-json.ts";
export { packLlms } from "./write-llms.ts";
export { packMarkdown } from "./write-markdown.ts";
