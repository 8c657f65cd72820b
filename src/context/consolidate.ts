/** Sorts passages under the four questions, merges duplicates, and keeps all sources. */
import type { Pack, PackPage, PackSection } from "./pack.ts";
import { passagesOf } from "./passages.ts";
import { questionOf, questionOfPage } from "./questions.ts";
import { PassageMemory } from "./same-passage.ts";
import { type SectionName, sectionNames } from "./section-names.ts";

type Growing = { -readonly [key in keyof PackSection]: PackSection[key] extends readonly string[] ? string[] : PackSection[key] };

export function consolidate(
  root: PackPage,
  linked: readonly PackPage[],
  failed: Pack["failed"],
  wanted: readonly SectionName[] = sectionNames,
): Pack {
  const pages = [root, ...linked];
  const isRepeated = repeatedOn(pages);
  const memory = new PassageMemory<Growing>();
  const sections: Record<SectionName, Growing[]> = { features: [], about: [], concepts: [], terminology: [] };
  for (const page of pages) {
    const isRoot = page === root;
    const purpose = questionOfPage({ ...page, isRoot });
    for (const section of page.sections) {
      const question = questionOf(section, purpose, isRoot);
      if (question === undefined || !wanted.includes(question)) continue;
      const { url: source, since } = page;
      const made: Growing = { name: section.heading || page.title, content: "", id: section.id, source, since, also: [] };
      const fresh = passagesOf(section.content).filter((passage) => !isRepeated(passage) && isNew(memory, passage, made));
      made.content = fresh.join("\n\n");
      if (made.content !== "") sections[question].push(made);
    }
  }
  return { root, linked, wanted, sections, failed };
}

function isNew(memory: PassageMemory<Growing>, passage: string, made: Growing): boolean {
  const known = memory.find(passage);
  if (known === undefined) memory.keep(passage, made);
  else if (known.source !== made.source && !known.also.includes(made.source)) known.also.push(made.source);
  return known === undefined;
}

/** Least number of pages for telling what belongs to the site rather than to a page. */
const LEAST_PAGES = 4;
const MOST_PAGES = 0.75;
/** A longer passage is content, not decoration. */
const LONGEST = 300;

/** Returns a test whether a passage stands word for word on nearly all pages, and so belongs to the site. */
export function repeatedOn(pages: readonly PackPage[]): (passage: string) => boolean {
  if (pages.length < LEAST_PAGES) return () => false;
  const counts = new Map<string, number>();
  for (const { sections } of pages) {
    const here = new Set(sections.flatMap(({ content }) => passagesOf(content)).filter(({ length }) => length <= LONGEST));
    for (const passage of here) counts.set(passage, (counts.get(passage) ?? 0) + 1);
  }
  return (passage) => (counts.get(passage) ?? 0) >= MOST_PAGES * pages.length;
}
