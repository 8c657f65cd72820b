/** Sorts passages under the four questions, merges duplicates, and keeps all sources. */
import type { Pack, PackPage, PackSection } from "./pack.ts";
import { PassageStore } from "./passage-store.ts";
import { passagesOf } from "./passages.ts";
import { questionOf, questionOfPage } from "./questions.ts";
import { type SectionName, sectionNames } from "./section-names.ts";

type MutableSection = { -readonly [key in keyof PackSection]: PackSection[key] extends readonly string[] ? string[] : PackSection[key] };

export function consolidate(
  root: PackPage,
  linked: readonly PackPage[],
  failed: Pack["failed"],
  wanted: readonly SectionName[] = sectionNames,
): Pack {
  const pages = [root, ...linked];
  const isRepeated = repeatedPassageTest(pages);
  const memory = new PassageStore<MutableSection>();
  const sections: Record<SectionName, MutableSection[]> = { features: [], about: [], concepts: [], terminology: [] };
  for (const page of pages) {
    const isRoot = page === root;
    const purpose = questionOfPage({ ...page, isRoot });
    for (const section of page.sections) {
      const question = questionOf(section, purpose, isRoot);
      if (question === undefined || !wanted.includes(question)) continue;
      const { url: source, since } = page;
      const newSection: MutableSection = { name: section.heading || page.title, content: "", id: section.id, source, since, also: [] };
      const newPassages = passagesOf(section.content).filter((passage) => !isRepeated(passage) && isNew(memory, passage, newSection));
      newSection.content = newPassages.join("\n\n");
      if (newSection.content !== "") sections[question].push(newSection);
    }
  }
  return { root, linked, wanted, sections, failed };
}

function isNew(memory: PassageStore<MutableSection>, passage: string, newSection: MutableSection): boolean {
  const known = memory.find(passage);
  if (known === undefined) memory.add(passage, newSection);
  else if (known.source !== newSection.source && !known.also.includes(newSection.source)) known.also.push(newSection.source);
  return known === undefined;
}

/** Least number of pages for telling what belongs to the site rather than to a page. */
const MIN_PAGES = 4;
const MIN_PAGE_SHARE = 0.75;
/** A longer passage is content, not decoration. */
const MAX_LENGTH = 300;

/** Returns a test whether a passage stands word for word on nearly all pages, and so belongs to the site. */
export function repeatedPassageTest(pages: readonly PackPage[]): (passage: string) => boolean {
  if (pages.length < MIN_PAGES) return () => false;
  const counts = new Map<string, number>();
  for (const { sections } of pages) {
    const onPage = new Set(sections.flatMap(({ content }) => passagesOf(content)).filter(({ length }) => length <= MAX_LENGTH));
    for (const passage of onPage) counts.set(passage, (counts.get(passage) ?? 0) + 1);
  }
  return (passage) => (counts.get(passage) ?? 0) >= MIN_PAGE_SHARE * pages.length;
}
