/** The field names that programs expect come first, in their order; additions come after. */
import { answersOf, type Block, within } from "./blocks.ts";
import { costOf } from "./budget.ts";
import type { ContextDocument, PageDocument, PartDocument, SectionDocument } from "./document.ts";
import type { Section } from "./outline.ts";
import type { Pack, PackPage, PackSection } from "./pack.ts";
import { type SectionName, sectionNames } from "./section-names.ts";

/** Without a budget everything; within a budget the answers, and of each page only its identification. */
export function packJson(pack: Pack, maxTokens = Number.POSITIVE_INFINITY): ContextDocument {
  const whole = written(pack, pack.sections, (page) => page);
  if (tokensAsJson(whole) <= maxTokens) return whole;
  const { frame, told } = frameWithin(pack, maxTokens);
  const tokens = maxTokens - tokensAsJson(written(frame, noSections, told));
  const blocks = within(answersOf(frame), [frame.root, ...frame.linked], { tokens, write: blockAsJson });
  const sections = { ...noSections };
  for (const under of sectionNames) sections[under] = blocks.filter((block) => block.under === under).map(sectionOf);
  return written(frame, sections, told);
}

type Told = Pick<PackPage, "headings" | "sections" | "metadata">;

/** Maximum share of the budget for everything except the answers. */
const MOST_FRAME = 0.5;

/** Reduces everything except the answers until it fits: descriptions go first, then failures, then the least relevant pages. */
function frameWithin(pack: Pack, maxTokens: number): { frame: Pack; told: (page: PackPage) => Told } {
  const fits = (frame: Pack, told: (page: PackPage) => Told) => tokensAsJson(written(frame, noSections, told)) <= MOST_FRAME * maxTokens;
  if (fits(pack, described)) return { frame: pack, told: described };
  let frame: Pack = fits(pack, named) ? pack : { ...pack, failed: [] };
  while (frame.linked.length > 0 && !fits(frame, named)) frame = { ...frame, linked: frame.linked.slice(0, -1) };
  return { frame, told: named };
}

const named = (): Told => ({ headings: [], sections: [], metadata: {} });
const described = ({ metadata: { description } }: PackPage): Told => ({
  ...named(),
  metadata: description === undefined ? {} : { description },
});

const noSections: Record<SectionName, readonly PackSection[]> = { features: [], about: [], concepts: [], terminology: [] };

function written({ root, linked, failed }: Pack, sections: Pack["sections"], told: (page: PackPage) => Told): ContextDocument {
  return {
    root_page: pageJson(root, told(root)),
    linked_pages: linked.map((page) => ({
      ...pageJson(page, told(page)),
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

const pageJson = ({ title, since, url, hidden }: PackPage, { metadata, headings, sections }: Told): PageDocument => ({
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

const sectionOf = ({ passages, under: _, ...block }: Block): PackSection => ({ ...block, content: passages.join("\n\n") });

/** Cost in the output format: two spaces per level, and sections four levels deep. */
const tokensAsJson = (value: object) => Math.ceil(costOf(JSON.stringify(value, null, 2)));
const blockAsJson = (block: Block) => JSON.stringify([[[sectionJson(sectionOf(block))]]], null, 2);
