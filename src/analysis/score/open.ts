import { readAsset } from "./assets.ts";
import { type Concept, parseConcepts } from "./concepts.ts";
import { countNames } from "./evidence.ts";
import { type Glossary, openGlossary } from "./glossary.ts";
import { type KeywordPlan, matchByMeaning, matchByName } from "./keyword-match.ts";
import { LinkReader } from "./link-reader.ts";
import type { Scorer, ScorerKind } from "./scorer.ts";
import { subjectOf } from "./subject.ts";
import { openVectors } from "./vectors.ts";
import { wordsOf } from "./words.ts";

/** Increase when a link would get another match: stored matches are then recalculated. */
const SCORER_VERSION = 2;
/** The first words of a text are read like a link, because they say what the text is about. */
const HEAD_WORDS = 40;
/**
 * Beyond the head, how often a keyword is named decides: a share of one word in fifty is a full match, and two mentions alone are never
 * enough.
 */
const [WORDS_PER_MENTION, CHANCE_MENTIONS] = [50, 2];
/** Upper bound for running text, which names many things. */
const MAX_TEXT_MATCH = 0.9;

let concepts: readonly Concept[] | undefined;

interface Engine {
  readonly glossary: Glossary;
  readonly plans: readonly KeywordPlan[];
  readonly reader: LinkReader;
}

/** Loads its data on the first match, once per process; the lexical scorer needs none. */
export function openScorer(keywords: readonly string[], { kind }: { readonly kind: ScorerKind } = { kind: "embedded" }): Scorer {
  let engine: Engine | undefined;
  const noMatches: readonly number[] = keywords.map(() => 0);
  const matchOf = kind === "lexical" ? matchByName : matchByMeaning;
  return {
    name: `${kind}.${SCORER_VERSION}`,
    keywords,
    match(link) {
      engine ??= startEngine(keywords, kind);
      const rows = engine.reader.read(link);
      // Most links match no keyword and share one array.
      let matches: number[] | undefined;
      for (const plan of engine.plans) {
        const match = rounded(matchOf(engine.reader.evidence, rows, plan));
        if (match <= 0) continue;
        matches ??= [...noMatches];
        matches[plan.subject] = match;
      }
      return matches ?? noMatches;
    },
    matchText(text) {
      engine ??= startEngine(keywords, kind);
      const wordList = engine.glossary.lookUp(text);
      const counts = countNames(wordList, engine.glossary.subjects);
      const rows = engine.reader.readText({ list: wordList.list, count: Math.min(wordList.count, HEAD_WORDS) });
      const neededMentions = CHANCE_MENTIONS + wordList.count / WORDS_PER_MENTION;
      return engine.plans.map((plan) => {
        const share = Math.min(1, counts[plan.subject]! / neededMentions);
        return rounded(Math.max(matchOf(engine!.reader.evidence, rows, plan), MAX_TEXT_MATCH * share));
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
  return { glossary, plans, reader: new LinkReader(glossary) };
}

const rounded = (match: number): number => Math.round(match * 1000) / 1000;
