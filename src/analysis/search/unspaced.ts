/**
 * Scripts in which spaces do not mark the end of a word, at least not reliably: Thai, Lao, Burmese, Khmer, Korean, Japanese and Chinese.
 */
export const UNSPACED_SCRIPTS =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005\\u3040-\\u30ff\\u3130-\\u318f\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";

/** Hebrew and Arabic vowel points and lengthening marks, which most people omit. */
export const VOWEL_POINT_RANGES = "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0640\\u064b-\\u065f\\u0670";

/** The characters of words, as in the index. */
export const LETTER_CLASSES = "\\p{L}\\p{N}\\p{M}\\p{Co}";
