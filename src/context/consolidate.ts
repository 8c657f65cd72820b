/** Sorts what pages say under the four questions, says nothing twice, and keeps where everything came from. */
import type { Section } from "./outline.ts";
import type { Pack, PackPage, PackSection } from "./pack.ts";
import { PassageMemory } from "./same-passage.ts";
import { type SectionName, sectionNames, sectionOfWords } from "./section-names.ts";

type Growing = { -readonly [key in keyof PackSection]: PackSection[key] extends readonly string[] ? string[] : PackSection[key] };

export function consolidate(
  root: PackPage,
  linked: readonly PackPage[],
  failed: Pack["failed"],
  wanted: readonly SectionName[] = sectionNames,
): Pack {
  const memory = new PassageMemory<Growing>();
  const sections: Record<SectionName, Growing[]> = { features: [], about: [], concepts: [], terminology: [] };
  for (const page of [root, ...linked]) {
    for (const section of page.sections) {
      const name = questionOf(section, page, page === root);
      if (name === undefined || !wanted.includes(name)) continue;
      const made: Growing = {
        name: section.heading || page.title,
        content: "",
        id: section.id,
        source: page.url,
        since: page.since,
        also: [],
      };
      made.content = passagesOf(section.content)
        .filter((passage) => isNew(memory, passage, made))
        .join("\n\n");
      if (made.content !== "") sections[name].push(made);
    }
  }
  return { root, linked, sections, failed };
}

function isNew(memory: PassageMemory<Growing>, passage: string, made: Growing): boolean {
  const known = memory.meet(passage, made);
  if (known === undefined) return true;
  if (known.source !== made.source && !known.also.includes(made.source)) known.also.push(made.source);
  return false;
}

/** What a section is about: its own heading says it best, then those around it, then the page, by its link and its address. */
function questionOf({ heading, path, content }: Section, { url, anchor, title }: PackPage, isRoot: boolean): SectionName | undefined {
  const own =
    sectionOfWords(heading) ??
    [...path]
      .reverse()
      .map(sectionOfWords)
      .find((name) => name !== undefined);
  if (own !== undefined) return own;
  if (isTermList(content)) return "terminology";
  if (isRoot) return path.length === 0 ? "about" : undefined;
  const address = new URL(url).pathname.replace(/[^\p{L}\p{N}]+/gu, " ");
  return sectionOfWords(address) ?? sectionOfWords(anchor) ?? sectionOfWords(title);
}

/** Lines that each explain a word: `**Term**: what it is`. */
function isTermList(content: string): boolean {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const terms = lines.filter((line) => /^(?:[-*] )?\*\*[^*]{2,60}\*\*\s*[:–—-]/.test(line));
  return terms.length >= 3 && terms.length >= lines.length / 2;
}

/** Paragraphs, lists, tables and code, whole. */
export function passagesOf(content: string): string[] {
  const passages: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) passages.push(lines.join("\n"));
    lines = [];
  };
  for (const line of content.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : undefined;
    if (line.trim() === "" && fence === undefined) end();
    else lines.push(line);
  }
  end();
  return passages;
}
