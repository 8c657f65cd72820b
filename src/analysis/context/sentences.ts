/** Splits text into sentences, in most scripts. Abbreviations and initials do not end a sentence. */

/** Abbreviations after whose dot a sentence continues. */
const abbreviation =
  /(?:^|[\s([“"'])(?:[\p{Lu}]|e\.g|i\.e|cf|vs|etc|approx|ca|no|nos|nr|vol|fig|figs|sec|ch|pp?|ed|eds|est|dept|inc|ltd|co|corp|mr|mrs|ms|dr|prof|rev|st|jr|sr|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|z\. ?b|bzw|d\. ?h|u\. ?a|usw|vgl|str|tel|bspw|inkl|zzgl|evtl|ggf|abb|env|av|art|max|min|p\. ?ej|sra?|srta|ud|uds)\.\s*$/iu;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** Maximum length of an abbreviation. */
const MAX_ABBREVIATION = 16;

/** Window size in characters: the segmenter copies its whole input for every sentence, so it gets a small part at a time. */
const WINDOW_LENGTH = 2000;

/**
 * The sentences of a paragraph, each with the white space after it: joined they give the paragraph. A line break does not end a
 * sentence.
 */
export function sentencesOf(text: string): string[] {
  const flat = text.replaceAll("\n", " ");
  const sentences: string[] = [];
  let sentenceStart = 0;
  for (let from = 0; from < flat.length; ) {
    const segments = [...segmenter.segment(flat.slice(from, from + WINDOW_LENGTH))];
    const isLast = from + WINDOW_LENGTH >= flat.length;
    // The last segment of a window may continue in the next window.
    const whole = isLast ? segments : segments.slice(0, -1);
    for (const { index, segment } of whole) {
      const end = from + index + segment.length;
      if (abbreviation.test(segment.slice(-MAX_ABBREVIATION)) && end < flat.length) continue;
      sentences.push(text.slice(sentenceStart, end));
      sentenceStart = end;
    }
    from += isLast || whole.length === 0 ? WINDOW_LENGTH : segments.at(-1)!.index;
  }
  if (sentenceStart < text.length) sentences.push(text.slice(sentenceStart));
  return sentences;
}
