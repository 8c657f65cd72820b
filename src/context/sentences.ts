/** Where sentences end, in most scripts: abbreviations and initials do not end one. */

/** Words with a dot that a sentence goes on after. */
const short =
  /(?:^|[\s([“"'])(?:[\p{Lu}]|e\.g|i\.e|cf|vs|etc|approx|ca|no|nos|nr|vol|fig|figs|sec|ch|pp?|ed|eds|est|dept|inc|ltd|co|corp|mr|mrs|ms|dr|prof|rev|st|jr|sr|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\. ?b|bzw|d\. ?h|u\. ?a|usw|vgl|str|tel|bspw|inkl|zzgl|evtl|ggf|abb|env|av|art|max|min|p\. ?ej|sra?|srta|ud|uds)\.\s*$/iu;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** Before the dot an abbreviation is at most so long. */
const LOOK = 16;

/** The sentences of a paragraph, each with the blanks after it: joined they are the paragraph. A line may end where a sentence goes on. */
export function sentencesOf(text: string): string[] {
  const ends: number[] = [];
  for (const { index, segment } of segmenter.segment(text.replaceAll("\n", " ")))
    if (!short.test(segment.slice(-LOOK))) ends.push(index + segment.length);
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)).filter((sentence) => sentence !== "");
}
