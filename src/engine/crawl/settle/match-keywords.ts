import type { ParsedDocument, ParsedLink } from "../../../analysis/parse/index.ts";
import { openScorer, type Scorer, scoreOf } from "../../../analysis/score/index.ts";
import type { Reading } from "../../../core/records.ts";
import type { ScorerSpec } from "../../../store/index.ts";
import type { ReadSetup } from "../read/read-setup.ts";

type Weights = Pick<ReadSetup, "keywords" | "scoreRatio">;

/** The scorer and keywords under which the store keeps matches. */
export function judgeOf({ keywords, scorer: kind }: Pick<ReadSetup, "keywords" | "scorer">): ScorerSpec | undefined {
  if (keywords.length === 0) return undefined;
  const words = keywords.map(([word]) => word);
  return { scorer: openScorer(words, { kind }).name, words };
}

const scorers = new WeakMap<ReadSetup, Scorer>();

function scorerOf(setup: ReadSetup): Scorer {
  const known = scorers.get(setup);
  if (known) return known;
  const scorer = openScorer(
    setup.keywords.map(([word]) => word),
    { kind: setup.scorer },
  );
  scorers.set(setup, scorer);
  return scorer;
}

/** Keywords kept per link: each counts less than the one before, so more would not matter. */
const MAX_KEYWORDS_PER_LINK = 20;

/** Matches the run's keywords with each link of a page and with the page itself. */
export function matchKeywords(
  document: ParsedDocument,
  links: readonly ParsedLink[],
  setup: ReadSetup,
): Pick<Reading, "matches" | "relevance"> {
  if (setup.keywords.length === 0) return { matches: undefined, relevance: 0 };
  const scorer = scorerOf(setup);
  const [places, words, matches]: [number[], number[], number[]] = [[], [], []];
  for (let place = 0; place < links.length; place++) {
    const { text, url = "", title, heading, block } = links[place]!;
    const found = scorer.match({ text, url, title, heading, context: block });
    for (const word of bestKeywords(found)) {
      places.push(place);
      words.push(word);
      matches.push(found[word]!);
    }
  }
  return {
    matches: { links: Uint32Array.from(places), words: Uint16Array.from(words), matches: Float32Array.from(matches) },
    relevance: relevanceOf(document, scorer, setup),
  };
}

/** Indexes of the keywords that apply, in order; if there are too many, the best ones. */
export function bestKeywords(found: readonly number[]): number[] {
  const applying: number[] = [];
  for (let word = 0; word < found.length; word++) if (found[word]! > 0) applying.push(word);
  if (applying.length <= MAX_KEYWORDS_PER_LINK) return applying;
  return applying
    .sort((a, b) => found[b]! - found[a]!)
    .slice(0, MAX_KEYWORDS_PER_LINK)
    .sort((a, b) => a - b);
}

type PageText = Pick<ParsedDocument, "title" | "description" | "text" | "links">;

/** In a block with a larger share of link text, the words say what the menu names, not what the page is about. */
const MAX_LINK_SHARE = 0.8;

/** A page is about the words of its title, description and own text, not those of its links. */
export function relevanceOf({ title, description, text, links }: PageText, scorer: Scorer, { keywords, scoreRatio }: Weights): number {
  const score = (words: string) => {
    const weighed = scorer.matchText(words).map((match, place) => ({ match, weight: keywords[place]![1] }));
    return Math.min(1, scoreOf(weighed, scoreRatio));
  };
  return Math.max(score(`${title?.value ?? ""} ${description?.value ?? ""}`), score(unlinkedText(text, links)));
}

function unlinkedText(text: string, links: readonly Pick<ParsedLink, "text" | "block">[]): string {
  const linked = new Map<string, number>();
  for (const link of links) linked.set(link.block, (linked.get(link.block) ?? 0) + link.text.length);
  const isOwn = (block: string) => (linked.get(block) ?? 0) < MAX_LINK_SHARE * block.length;
  return text.split("\n").filter(isOwn).join("\n");
}
