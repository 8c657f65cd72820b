/**
 * Removes invisible characters: tags, zero-width and bidi controls, control characters, runs of variation selectors.
 * Those that letters and emoji need are kept.
 */

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/u;
const RUN = new RegExp(`${UNSEEN.source}+`, "gu");
/** Line-break hints and marks left by editors. They are too common to indicate hidden messages, so they are not counted. */
const COMMON = new Set("\u00ad\u200b\u200c\u200d\u200e\u200f\u061c\u2060\ufeff\ufe0e\ufe0f");
/** Scripts in which a joiner changes the shape of letters. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const EMOJI = /[\p{Emoji}\p{Emoji_Modifier}]/u;
const WRITTEN_WITH_SELECTOR = /[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Sm}]/u;
const SELECTOR = /[\ufe00-\ufe0f\u180b-\u180d\u{e0100}-\u{e01ef}]/u;
/** The flags of England, Scotland and Wales are a black flag followed by these tags. */
const FLAG = "\u{1f3f4}";
const FLAGS = ["gbeng", "gbsct", "gbwls"].map((name) => `${[...name].map((letter) => tag(letter)).join("")}\u{e007f}`);

function tag(letter: string): string {
  return String.fromCodePoint(0xe0000 + letter.codePointAt(0)!);
}

/** `onLeftOut` gets the number of removed characters, without the common ones. */
export function seenLetters(text: string, onLeftOut?: (characters: number) => void): string {
  if (!UNSEEN.test(text)) return text;
  return text.replace(RUN, (run, at: number, whole: string) => {
    const kept = keptOf(run, lastOf(whole.slice(Math.max(0, at - 2), at)));
    if (onLeftOut) {
      const out =
        [...run].filter((character) => !COMMON.has(character)).length - [...kept].filter((character) => !COMMON.has(character)).length;
      if (out > 0) onLeftOut(out);
    }
    return kept;
  });
}

const lastOf = (text: string): string => [...text].at(-1) ?? "";

function keptOf(run: string, before: string): string {
  if (before === FLAG) {
    const flag = FLAGS.find((tags) => run.startsWith(tags));
    if (flag !== undefined) return flag;
  }
  let kept = "";
  for (const character of run) {
    const isSelector = SELECTOR.test(character);
    const isJoiner = character === "\u200c" || character === "\u200d";
    if (isSelector && kept === "" && WRITTEN_WITH_SELECTOR.test(before)) kept += character;
    else if (isJoiner && !/[\u200c\u200d]/.test(kept) && (JOINED.test(before) || (EMOJI.test(before) && !/\d/.test(before))))
      kept += character;
  }
  return kept;
}
