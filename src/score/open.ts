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

/** Increase when a link would get another match: stored matches are then recalculated. */
const VERSION = 2;
/** The first words of a text are read like a link, because they say what the text is about. */
const HEAD = 40;
/**
 * Beyond the head, how often a keyword is named decides: a share of one word in fifty is a full match, and two mentions alone are never
 * enough.
 */
const [COMMON, CHANCE] = [50, 2];
/** Upper bound for running text, which names many things. */
const MOST_OF_TEXT = 0.9;

let concepts: readonly Concept[] | undefined;

interface Engine {
  readonly glossary: Glossary;
  readonly plans: readonly Plan[];
  readonly reading: LinkReading;
}

/** Loads its data on the first match, once per process; the lexical scorer needs none. */
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
      // Most links match no keyword and share one array.
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
