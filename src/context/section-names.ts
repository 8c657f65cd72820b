/** The four questions a context answers, and the words by which pages and their parts say which one they answer. */

export const sectionNames = ["features", "about", "concepts", "terminology"] as const;
export type SectionName = (typeof sectionNames)[number];

const words: Readonly<Record<SectionName, RegExp>> = {
  terminology: /\b(?:terminology|glossar(?:y|ies)|definitions?|vocabulary|terms and definitions|key terms|dictionary|jargon|acronyms)\b/i,
  features:
    /\b(?:features?|capabilit(?:y|ies)|functions?|functionality|benefits|what it does|what you can do|highlights|specifications?)\b/i,
  about: /\b(?:about|who we are|our (?:company|story|mission|team|vision|history)|company|mission|what is|introducing)\b/i,
  concepts:
    /\b(?:concepts?|guides?|docs?|documentation|tutorials?|how it works|architecture|overview|fundamentals|getting started|introduction|principles|basics|learn)\b/i,
};

/** The most telling first: a glossary in the documentation is terminology. */
export const sectionOfWords = (text: string): SectionName | undefined =>
  (Object.keys(words) as SectionName[]).find((name) => words[name].test(text));

export const speaksOf = (name: SectionName, text: string): boolean => words[name].test(text);
