import type { ParsedDocument, ParsedLink } from "../parse/index.ts";
import type { Reading } from "../records.ts";
import { openScorer, type Scorer, scoreOf } from "../score/index.ts";
import type { Judge } from "../store/index.ts";
import type { ReadSetup } from "./read.ts";

type Weights = Pick<ReadSetup, "keywords" | "scoreRatio">;

/** Whose matches they are, as the store keeps them. */
export function judgeOf({ keywords }: Pick<ReadSetup, "keywords">): Judge | undefined {
  if (keywords.length === 0) return undefined;
  const words = keywords.map(([word]) => word);
  return { scorer: openScorer(words).name, words };
}

const scorers = new WeakMap<ReadSetup, Scorer>();

function scorerOf(setup: ReadSetup): Scorer {
  const known = scorers.get(setup);
  if (known) return known;
  const scorer = openScorer(setup.keywords.map(([word]) => word));
  scorers.set(setup, scorer);
  return scorer;
}

/** How far the keywords of the run apply to each link of a page, and to the page itself. */
export function judge(document: ParsedDocument, links: readonly ParsedLink[], setup: ReadSetup): Pick<Reading, "matches" | "relevance"> {
  if (setup.keywords.length === 0) return { matches: undefined, relevance: 0 };
  const scorer = scorerOf(setup);
  const [places, words, matches]: [number[], number[], number[]] = [[], [], []];
  for (const [place, { text, url = "", title, heading, block }] of links.entries()) {
    for (const [word, match] of scorer.match({ text, url, title, heading, context: block }).entries()) {
      if (match <= 0) continue;
      places.push(place);
      words.push(word);
      matches.push(match);
    }
  }
  return {
    matches: { links: Uint32Array.from(places), words: Uint16Array.from(words), matches: Float32Array.from(matches) },
    relevance: relevanceOf(document, scorer, setup),
  };
}

/** Blocks of a page that are read for its relevance. */
const MOST_BLOCKS = 100;
/** So many blocks that are all about the keywords make a page half relevant, whatever its title says. */
const HALF_RELEVANT = 4;

type Said = { readonly [Part in "title" | "description"]: { readonly value: string } | undefined } & { readonly text: string };

/** A page that names the keywords in its title is about them; one that only speaks of them is, the more the oftener it does. */
export function relevanceOf({ title, description, text }: Said, scorer: Scorer, { keywords, scoreRatio }: Weights): number {
  const score = (words: string) => {
    const matches = scorer.matchText(words);
    return scoreOf(
      matches.map((match, place) => ({ match, weight: keywords[place]![1] })),
      scoreRatio,
    );
  };
  const titled = score(`${title?.value ?? ""} ${description?.value ?? ""}`);
  if (titled >= 1) return 1;
  const spoken = text.split("\n", MOST_BLOCKS).reduce((sum, block) => sum + score(block), 0);
  return Math.max(titled, spoken / (spoken + HALF_RELEVANT));
}
