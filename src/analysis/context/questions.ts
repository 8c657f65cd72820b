/**
 * Decides which of the four questions a section answers: by its heading, its form, the headings around it, the page's purpose, and its
 * text.
 */
import type { Section } from "./outline.ts";
import type { PackPage } from "./pack.ts";
import { isTable, passagesOf, visibleText } from "./passages.ts";
import { clearSectionOf, normaliseWords, pathWords, type SectionName, sectionOfContent, sectionOfWords } from "./section-names.ts";

/**
 * The purpose of a whole page by its URL, link text and title. A front page serves all purposes, so only a plain word in its URL counts.
 */
export function questionOfPage({
  url,
  anchor,
  title,
  isRoot,
}: Pick<PackPage, "url" | "anchor" | "title"> & { isRoot: boolean }): SectionName | undefined {
  const path = pathWords(url);
  if (isRoot) return clearSectionOf(path);
  return (
    clearSectionOf(path) ??
    clearSectionOf(anchor) ??
    clearSectionOf(title) ??
    sectionOfWords(path) ??
    sectionOfWords(anchor) ??
    sectionOfWords(title)
  );
}

/** `page` is the purpose of its page. */
export function questionOf(section: Section, pageQuestion: SectionName | undefined, isRoot: boolean): SectionName | undefined {
  const { heading, path, content, level } = section;
  const isLeadSection = level <= 1;
  const ownQuestion = isLeadSection ? undefined : clearSectionOf(heading);
  if (ownQuestion !== undefined) return ownQuestion;
  const shape = shapeOf(content);
  if (shape === "terms") return "terminology";
  const enclosingQuestion = isLeadSection ? undefined : nearestQuestion(path.slice(1), clearSectionOf);
  if (enclosingQuestion ?? pageQuestion) return enclosingQuestion ?? pageQuestion;
  if (isRoot && isLeadSection) return "about";
  const weakQuestion = isLeadSection
    ? sectionOfWords(heading)
    : (sectionOfWords(heading) ?? nearestQuestion(path.slice(1), sectionOfWords));
  if (weakQuestion !== undefined) return weakQuestion;
  return shape === "named" ? "terminology" : sectionOfContent(visibleText(content.slice(0, MAX_JUDGED_LENGTH)));
}

/** Length of text that is enough to judge a section. */
const MAX_JUDGED_LENGTH = 4000;

/** Searches the enclosing headings from the inside. The outermost is the page title, which `questionOfPage` already covers. */
function nearestQuestion(path: readonly string[], questionOfText: (text: string) => SectionName | undefined): SectionName | undefined {
  for (const heading of path.toReversed()) {
    const question = questionOfText(heading);
    if (question !== undefined) return question;
  }
  return undefined;
}

/** "terms": a list of terms with definitions. "named": a list of names with descriptions, which may also be features. */
function shapeOf(content: string): "terms" | "named" | undefined {
  const passages = passagesOf(content);
  if (passages.some((passage) => isTable(passage) && isTermTable(passage))) return "terms";
  const defined = passages.filter((passage) => /^\*\*[^*\n]+\*\*:?\n\n[-*] /.test(passage));
  if (defined.length >= 2 && defined.length >= passages.length / 2 && areSentences(defined.map((passage) => passage.split("\n\n", 2)[1]!)))
    return "terms";
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const named = lines.filter(
    (line) => /^(?:[-*] )?\*\*[^*]{2,60}\*\*\s?(?:[:–—-]|\()/.test(line) || /^(?:[-*] )?\*\*[^*]{2,60}:\*\*/.test(line),
  );
  return named.length >= 3 && named.length >= lines.length / 2 ? "named" : undefined;
}

const isTermTable = (table: string) =>
  / (?:terms?|word|concept|acronym|abbreviation|begriff|terme|termino|termine) (?:meaning|definition|description|explanation|what it means|stands for|bedeutung|erklarung|signification|significado|definicion|significato) /.test(
    normaliseWords(table.split("\n", 1)[0]!),
  );

/** A definition takes several words; a value, such as a weight, takes two. */
const areSentences = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + text.slice(0, 200).split(/\s+/).length - 1, 0) >= 4 * texts.length;
