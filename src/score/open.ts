import { addressWords } from "./address.ts";
import { readAsset } from "./assets.ts";
import { type Concept, parseConcepts } from "./concepts.ts";
import { countNames, type Evidence, gather } from "./evidence.ts";
import { type Glossary, openGlossary } from "./glossary.ts";
import { partly } from "./parts.ts";
import { remembering } from "./remember.ts";
import type { LinkSight, Scorer, ScorerKind } from "./scorer.ts";
import { subjectOf } from "./subject.ts";
import { openVectors } from "./vectors.ts";
import { type LinkEvidence, weigh, weighNames } from "./weigh.ts";
import { wordsOf } from "./words.ts";

/** Raised when the same link would be judged otherwise: what is stored is then judged again. */
const VERSION = 1;
/** The beginning of a text says what it is about, as a link does. */
const HEAD = 40;
/** The rest speaks of a keyword as often as it names it: one word in fifty is all it takes, two are never enough. */
const [COMMON, CHANCE] = [50, 2];
/** Running text names many things. */
const MOST_OF_TEXT = 0.9;

let concepts: readonly Concept[] | undefined;

/** How a keyword is judged. */
interface Plan {
  /** Where the words of a keyword of several stand among the subjects. */
  readonly parts: readonly number[];
  readonly isKnown: boolean;
}

interface Engine {
  readonly glossary: Glossary;
  readonly plans: readonly Plan[];
  readonly read: (text: string) => Evidence;
  readonly readAddress: (url: string) => Pick<LinkEvidence, "host" | "path">;
}

/** Costs nothing until it is asked for a match; then it reads what it needs, once for the whole process, and for words alone nothing. */
export function openScorer(keywords: readonly string[], { kind }: { readonly kind: ScorerKind } = { kind: "embedded" }): Scorer {
  let engine: Engine | undefined;
  const matchOf = (evidence: LinkEvidence, subject: number, { glossary, plans }: Engine): number => {
    const { parts, isKnown } = plans[subject]!;
    const called = Math.max(evidence.text.names[subject]!, partly(evidence, parts));
    if (kind === "lexical") return Math.max(called, weighNames(evidence, subject));
    const own = called < 1 ? 0 : Math.max(1, parts.length);
    const isAlone = !glossary.hasMeaning(subject) || evidence.text.known <= own;
    return weigh(evidence, subject, { called, isKnown, isAlone });
  };
  return {
    name: `${kind}.${VERSION}`,
    keywords,
    match({ text, url, title = "", heading = "", context = "" }: LinkSight) {
      engine ??= startEngine(keywords, kind);
      const { read, readAddress } = engine;
      const called = read(title && title !== text ? `${text} ${title}` : text);
      const { host, path } = readAddress(url);
      // A link that stands alone is all there is around it.
      const evidence = { text: called, path, host, heading: read(heading), context: context ? read(context) : called };
      return keywords.map((_, subject) => rounded(matchOf(evidence, subject, engine!)));
    },
    matchText(text) {
      engine ??= startEngine(keywords, kind);
      const words = wordsOf(text);
      const counts = countNames(words, engine.glossary);
      const nothing = engine.read("");
      const head = gather(words.slice(0, HEAD), engine.glossary);
      const evidence = { text: head, path: nothing, host: nothing, heading: nothing, context: head };
      return keywords.map((_, subject) => {
        const share = Math.min(1, counts[subject]! / (CHANCE + words.length / COMMON));
        return rounded(Math.max(matchOf(evidence, subject, engine!), MOST_OF_TEXT * share));
      });
    },
  };
}

function startEngine(keywords: readonly string[], kind: ScorerKind): Engine {
  const vectors = kind === "embedded" ? openVectors() : undefined;
  if (vectors) concepts ??= parseConcepts(readAsset("concepts.txt").toString());
  const known = vectors ? concepts! : [];
  const terms = keywords.map(wordsOf);
  const subjects = terms.map((term) => subjectOf(term, known, vectors));
  const plans = terms.map((term, at) => ({
    parts: term.length > 1 ? term.map((word) => subjects.push(subjectOf([word], [], undefined)) - 1) : [],
    isKnown: subjects[at]!.names.length > 0,
  }));
  const glossary = openGlossary(subjects, vectors);
  const read = remembering((text) => gather(wordsOf(text), glossary));
  const readAddress = remembering((url) => {
    const { host, path } = addressWords(url);
    return { host: read(host), path: gather(wordsOf(path), glossary) };
  });
  return { glossary, plans, read, readAddress };
}

const rounded = (match: number): number => Math.round(match * 1000) / 1000;
