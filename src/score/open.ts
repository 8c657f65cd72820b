import { readAsset } from "./assets.ts";
import { type Concept, parseConcepts } from "./concepts.ts";
import { countNames } from "./evidence.ts";
import { type Glossary, openGlossary } from "./glossary.ts";
import { LinkReading } from "./link-reading.ts";
import type { Scorer, ScorerKind } from "./scorer.ts";
import { subjectOf } from "./subject.ts";
import { openVectors } from "./vectors.ts";
import { type Plan, weigh, weighNames } from "./weigh.ts";
import { wordsOf } from "./words.ts";

/** Raised when the same link would be judged otherwise: what is stored is then judged again. */
const VERSION = 2;
/** The beginning of a text says what it is about, as a link does. */
const HEAD = 40;
/** The rest speaks of a keyword as often as it names it: one word in fifty is all it takes, two are never enough. */
const [COMMON, CHANCE] = [50, 2];
/** Running text names many things. */
const MOST_OF_TEXT = 0.9;

let concepts: readonly Concept[] | undefined;

interface Engine {
  readonly glossary: Glossary;
  readonly plans: readonly Plan[];
  readonly reading: LinkReading;
}

/** Costs nothing until it is asked for a match; then it reads what it needs, once for the whole process, and for words alone nothing. */
export function openScorer(keywords: readonly string[], { kind }: { readonly kind: ScorerKind } = { kind: "embedded" }): Scorer {
  let engine: Engine | undefined;
  const nothing: readonly number[] = keywords.map(() => 0);
  const matchOf = kind === "lexical" ? weighNames : weigh;
  return {
    name: `${kind}.${VERSION}`,
    keywords,
    match(link) {
      engine ??= startEngine(keywords, kind);
      const rows = engine.reading.read(link);
      // Most links have nothing to do with any keyword, and share one answer.
      let matches: number[] | undefined;
      for (const plan of engine.plans) {
        const match = rounded(matchOf(engine.reading.evidence, rows, plan));
        if (match <= 0) continue;
        matches ??= [...nothing];
        matches[plan.subject] = match;
      }
      return matches ?? nothing;
    },
    matchText(text) {
      engine ??= startEngine(keywords, kind);
      const sights = engine.glossary.look(text);
      const counts = countNames(sights, engine.glossary.subjects);
      const rows = engine.reading.readHead({ list: sights.list, count: Math.min(sights.count, HEAD) });
      const often = CHANCE + sights.count / COMMON;
      return engine.plans.map((plan) => {
        const share = Math.min(1, counts[plan.subject]! / often);
        return rounded(Math.max(matchOf(engine!.reading.evidence, rows, plan), MOST_OF_TEXT * share));
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
  const plans = terms.map((term, subject) => ({
    subject,
    parts: term.length > 1 ? term.map((word) => subjects.push(subjectOf([word], [], undefined)) - 1) : [],
    isKnown: subjects[subject]!.names.length > 0,
  }));
  const glossary = openGlossary(subjects, vectors);
  return { glossary, plans, reading: new LinkReading(glossary) };
}

const rounded = (match: number): number => Math.round(match * 1000) / 1000;
