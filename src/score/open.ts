import { addressWords } from "./address.ts";
import { readAsset } from "./assets.ts";
import { type Concept, parseConcepts } from "./concepts.ts";
import { countNames, type Evidence, gather } from "./evidence.ts";
import { openGlossary } from "./glossary.ts";
import { partly } from "./parts.ts";
import { remembering } from "./remember.ts";
import type { LinkSight, Scorer } from "./scorer.ts";
import { subjectOf } from "./subject.ts";
import { openVectors } from "./vectors.ts";
import { type LinkEvidence, weigh, weighNames } from "./weigh.ts";
import { wordsOf } from "./words.ts";

export interface ScorerOptions {
  /** Words alone, or with concepts and word vectors. */
  readonly kind: "lexical" | "embedded";
}

/** The beginning of a text says what it is about, as a link does. */
const HEAD = 40;
/** The rest speaks of a keyword as often as it names it: one word in fifty is all it takes, two are never enough. */
const [COMMON, CHANCE] = [50, 2];
/** Running text names many things. */
const MOST_OF_TEXT = 0.9;

let concepts: readonly Concept[] | undefined;

/** Reads what it needs once for the whole process. Nothing is read for words alone. */
export function openScorer(keywords: readonly string[], { kind }: ScorerOptions = { kind: "embedded" }): Scorer {
  const vectors = kind === "embedded" ? openVectors() : undefined;
  if (vectors) concepts ??= parseConcepts(readAsset("concepts.txt").toString());
  const known = vectors ? concepts! : [];
  const terms = keywords.map(wordsOf);
  const subjects = terms.map((term) => subjectOf(term, known, vectors));
  const parts = terms.map((term) => (term.length > 1 ? term.map((word) => subjects.push(subjectOf([word], [], undefined)) - 1) : []));
  const glossary = openGlossary(subjects, vectors);
  const nothing = gather([], glossary);
  const read = remembering((text) => gather(wordsOf(text), glossary));
  const readAddress = remembering((url) => {
    const { host, path } = addressWords(url);
    return { host: read(host), path: gather(wordsOf(path), glossary) };
  });

  const matchOf = (evidence: LinkEvidence, subject: number): number => {
    const called = Math.max(evidence.text.names[subject]!, partly(evidence, parts[subject]!));
    return vectors ? weigh(evidence, subject, called) : Math.max(called, weighNames(evidence, subject));
  };
  return {
    name: `${kind}.1`,
    keywords,
    match({ text, url, title = "", heading = "", context = "" }: LinkSight) {
      const called = read(title && title !== text ? `${text} ${title}` : text);
      const evidence = { text: called, ...readAddress(url), heading: read(heading), context: read(context) };
      return terms.map((_, subject) => rounded(matchOf(evidence, subject)));
    },
    matchText(text) {
      const words = wordsOf(text);
      const head: Evidence = gather(words.slice(0, HEAD), glossary);
      const counts = countNames(words, glossary);
      const evidence = { text: head, path: nothing, host: nothing, heading: nothing, context: nothing };
      return terms.map((_, subject) => {
        const share = Math.min(1, counts[subject]! / (CHANCE + words.length / COMMON));
        return rounded(Math.max(matchOf(evidence, subject), MOST_OF_TEXT * share));
      });
    },
  };
}

const rounded = (match: number): number => Math.round(match * 1000) / 1000;
