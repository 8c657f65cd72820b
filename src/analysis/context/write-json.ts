/** The field names that programs expect come first, in their order; additions come after. */
import { answersOf, type Block, fitToBudget } from "./blocks.ts";
import { costOf } from "./budget.ts";
import type { ContextDocument, PageDocument, PartDocument, SectionDocument } from "./document.ts";
import type { Section } from "./outline.ts";
import type { Pack, PackPage, PackSection } from "./pack.ts";
import { type SectionName, sectionNames } from "./section-names.ts";

/** Without a budget everything; within a budget the answers, and of each page only its identification. */
export function packJson(pack: Pack, maxTokens = Number.POSITIVE_INFINITY): ContextDocument {
  const complete = documentOf(pack, pack.sections, (page) => page);
  if (tokensAsJson(complete) <= maxTokens) return complete;
  const { frame, detailsOf } = frameWithin(pack, maxTokens);
  const tokens = maxTokens - tokensAsJson(documentOf(frame, noSections, detailsOf));
  const blocks = fitToBudget(answersOf(frame), [frame.root, ...frame.linked], { tokens, write: blockAsJson });
  const sections = { ...noSections };
  for (const question of sectionNames) sections[question] = blocks.filter((block) => block.question === question).map(sectionOf);
  return documentOf(frame, sections, detailsOf);
}

type PageDetails = Pick<PackPage, "headings" | "sections" | "metadata">;

/** Maximum share of the budget for everything except the answers. */
const MAX_FRAME_SHARE = 0.5;

/** Reduces everything except the answers until it fits: descriptions go first, then failures, then the least relevant pages. */
function frameWithin(pack: Pack, maxTokens: number): { frame: Pack; detailsOf: (page: PackPage) => PageDetails } {
  const fits = (frame: Pack, detailsOf: (page: PackPage) => PageDetails) =>
    tokensAsJson(documentOf(frame, noSections, detailsOf)) <= MAX_FRAME_SHARE * maxTokens;
  if (fits(pack, descriptionOnly)) return { frame: pack, detailsOf: descriptionOnly };
  let frame: Pack = fits(pack, withoutDetails) ? pack : { ...pack, failed: [] };
  while (frame.linked.length > 0 && !fits(frame, withoutDetails)) frame = { ...frame, linked: frame.linked.slice(0, -1) };
  return { frame, detailsOf: withoutDetails };
}

const withoutDetails = (): PageDetails => ({ headings: [], sections: [], metadata: {} });
const descriptionOnly = ({ metadata: { description } }: PackPage): PageDetails => ({
  ...withoutDetails(),
  metadata: description === undefined ? {} : { description },
});

const noSections: Record<SectionName, readonly PackSection[]> = { features: [], about: [], concepts: [], terminology: [] };

function documentOf(
  { root, linked, failed }: Pack,
  sections: Pack["sections"],
  detailsOf: (page: PackPage) => PageDetails,
): ContextDocument {
  return {
    root_page: pageJson(root, detailsOf(root)),
    linked_pages: linked.map((page) => ({
      ...pageJson(page, detailsOf(page)),
      relevance_score: page.relevance,
      anchor_text: page.anchor,
    })),
    global_sections: {
      features: sections.features.map(sectionJson),
      about: sections.about.map(sectionJson),
      concepts: sections.concepts.map(sectionJson),
      terminology: sections.terminology.map(sectionJson),
    },
    failed_links: failed.map(({ url, relevance, reason, rule }) => ({ url, relevance_score: relevance, reason, rule })),
  };
}

const pageJson = ({ title, since, url, hidden }: PackPage, { metadata, headings, sections }: PageDetails): PageDocument => ({
  title,
  metadata,
  headings,
  sections: Object.fromEntries(sections.map((section) => [section.id, partJson(section)])),
  first_seen: since,
  url,
  ...(hidden !== undefined && { hidden_text_left_out: hidden }),
});

const partJson = ({ heading, level, content, path }: Section): PartDocument => ({ heading, level, content, path });

const sectionJson = ({ name, content, id, source, since, also }: PackSection): SectionDocument => ({
  name,
  content,
  id,
  source,
  first_seen: since,
  ...(also.length > 0 && { also_on: also }),
});

const sectionOf = ({ passages, question: _, ...block }: Block): PackSection => ({ ...block, content: passages.join("\n\n") });

/** Cost in the output format: two spaces per level, and sections four levels deep. */
const tokensAsJson = (value: object) => Math.ceil(costOf(JSON.stringify(value, null, 2)));
const blockAsJson = (block: Block) => JSON.stringify([[[sectionJson(sectionOf(block))]]], null, 2);
