/** A few pages as one text: which links of a front page explain a product, what pages say under four questions, nothing twice, within a budget. */
export { tokensOf, whatFits } from "./budget.ts";
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
