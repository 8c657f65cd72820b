/** Sentences that a context must not lose, each with a word that stands nowhere else, and sentences to bed them in. */
import { draw } from "../drawing.ts";

export type Question = "features" | "about" | "concepts" | "terminology";

/** A sentence of a page, as it must stand in a context under its question. */
export interface PlantedFact {
  readonly text: string;
  readonly question: Question;
  /** Path of the page it stands on. */
  readonly page: string;
}

type Pick = ReturnType<typeof draw>;

const openings = "ba ce do fi ga ho ju ka lo mi nu pe qui ro sa te vo wi xa zu".split(" ");
const middles = "bri cla dro fle gri lan mer nor pla ren sta tri vel war zen".split(" ");
const endings = "bex dal fin gor hul kim lop mar nid pax rus tam vok wen yd zar".split(" ");

/** Words nobody has used before: the number at their end makes sure. */
export function newWords(seed: number): () => string {
  const pick = draw(seed, 11);
  let made = 0;
  return () => {
    made += 1;
    return `${pick(openings)}${pick(middles)}${pick(endings)}${made}`;
  };
}

const claims: Readonly<Record<Question, readonly string[]>> = {
  features: [
    "With the @ mode, % picks up a broken transfer at the byte where it stopped.",
    "Every % comes with a @ sensor that notices draughts before anybody else does.",
    "It exports any view as a @ report with two clicks.",
    "The @ planner spreads heavy work over the quiet hours of the night.",
    "% keeps an undo history of @ steps, even after a restart.",
    "A built-in @ check refuses entries that contradict each other.",
  ],
  about: [
    "% was started by three former bridge keepers from @ who wanted calmer mornings.",
    "Today % is made by eleven people in a converted mill in @.",
    "% is owned by its makers, and @ funds a fifth of the work.",
    "The name % goes back to a barge called @ that carried slate.",
    "% is used by small harbours and schools, among them the harbour of @.",
  ],
  concepts: [
    "Work travels through % in parcels, and the @ decides which parcel goes next.",
    "A plan is never changed in place: @ writes a new one beside it and compares both.",
    "Each room has exactly one @, so two clerks cannot sign the same sheet.",
    "Before anything is stored, the @ rule asks whether it could be undone.",
    "% separates what was measured from what was guessed by the @ line.",
  ],
  terminology: [
    "A unit of work that % may repeat without harm, as @ does every night.",
    "The place where finished sheets wait for @ before they are filed.",
    "A promise between two rooms that neither will move the @ alone.",
    "The shortest pause after which % counts a visit as new, measured in @.",
    "A list of names that @ keeps so that no two boxes look alike.",
  ],
};

const fillers = [
  "Most people notice the difference within the first week.",
  "Nothing has to be set up twice, and nothing is hidden behind a second screen.",
  "That sounds small, but it saves a walk across the yard on a wet day.",
  "The old way took three people and a ladder.",
  "If the power fails halfway, the clock simply goes on from where it was.",
  "We wrote it down because it was asked so often.",
  "In winter the same rule applies, only later in the day.",
  "Larger houses tend to begin with one floor and add the others when they are ready.",
  "The drawings are on the wall next to the stairs for everybody to see.",
  "Whoever prefers paper can still have it.",
  "It costs a little time at first and gives it back with interest.",
  "Both sides keep a copy, and the copies are compared on Fridays.",
  "A wet thumb is no reason to begin again.",
  "There is no hurry: yesterday's numbers stay where they are.",
];

export const filler = (pick: Pick): string => pick(fillers);

export function claim(question: Question, product: string, word: string, pick: Pick): string {
  return pick(claims[question]).replaceAll("%", product).replaceAll("@", word);
}
