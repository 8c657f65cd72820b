/** Where sentences end, in most scripts: abbreviations and initials do not end one. */

/** Words with a dot that a sentence goes on after. */
const short =
  /(?:^|[\s([“"'])(?:[\p{Lu}]|e\.g|i\.e|cf|vs|etc|approx|ca|no|nos|nr|vol|fig|figs|sec|ch|pp?|ed|eds|est|dept|inc|ltd|co|corp|mr|mrs|ms|dr|prof|rev|st|jr|sr|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\. ?b|bzw|d\. ?h|u\. ?a|usw|vgl|str|tel|bspw|inkl|zzgl|evtl|ggf|abb|env|av|art|max|min|p\. ?ej|sra?|srta|ud|uds)\.\s*$/iu;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** Before the dot an abbreviation is at most so long. */
const LOOK = 16;

/** The segmenter copies its text for every sentence: it is given a page of it at a time. */
const WINDOW = 2000;

/** The sentences of a paragraph, each with the blanks after it: joined they are the paragraph. A line may end where a sentence goes on. */
export function sentencesOf(text: string): string[] {
  const flat = text.replaceAll("\n", " ");
  const sentences: string[] = [];
  let begun = 0;
  for (let from = 0; from < flat.length; ) {
    const segments = [...segmenter.segment(flat.slice(from, from + WINDOW))];
    const isLast = from + WINDOW >= flat.length;
    // What a window ends with may go on in the next one.
    const whole = isLast ? segments : segments.slice(0, -1);
    for (const { index, segment } of whole) {
      const end = from + index + segment.length;
      if (short.test(segment.slice(-LOOK)) && end < flat.length) continue;
      sentences.push(text.slice(begun, end));
      begun = end;
    }
    from += isLast || whole.length === 0 ? WINDOW : segments.at(-1)!.index;
  }
  if (begun < text.length) sentences.push(text.slice(begun));
  return sentences;
}
