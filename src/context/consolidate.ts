/** Sorts what pages say under the four questions, says nothing twice, and keeps where everything came from. */
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

/** With fewer pages nobody can say what belongs to the site and what to its pages. */
const LEAST_PAGES = 4;
const MOST_PAGES = 0.75;
/** What is longer is an article, and nobody repeats it for decoration. */
const LONGEST = 300;

/** Whether a passage stands on nearly all pages, word for word: then it belongs to none of them. */
export function repeatedOn(pages: readonly PackPage[]): (passage: string) => boolean {
  if (pages.length < LEAST_PAGES) return () => false;
  const counts = new Map<string, number>();
  for (const { sections } of pages) {
    const here = new Set(sections.flatMap(({ content }) => passagesOf(content)).filter(({ length }) => length <= LONGEST));
    for (const passage of here) counts.set(passage, (counts.get(passage) ?? 0) + 1);
  }
  return (passage) => (counts.get(passage) ?? 0) >= MOST_PAGES * pages.length;
}
