/** What a text is made of, found in one look at its letters. */

export interface Letters {
  /** As people count them; scripts without spaces have a word for about every second letter. */
  words: number;
  commas: number;
  stops: number;
  digits: number;
  capitals: number;
}

export function lettersOf(text: string): Letters {
  const found: Letters = { words: 0, commas: 0, stops: 0, digits: 0, capitals: 0 };
  let inWord = false;
  let unspaced = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      const isCapital = code >= 65 && code <= 90;
      const isDigit = code >= 48 && code <= 57;
      if (isCapital) found.capitals += 1;
      else if (isDigit) found.digits += 1;
      else if (code === 44 || code === 59) found.commas += 1;
      else if (code === 46 || code === 33 || code === 63) found.stops += 1;
      const isWord: boolean = isCapital || isDigit || (code >= 97 && code <= 122) || code === 95 || (code === 39 && inWord);
      if (isWord && !inWord) found.words += 1;
      inWord = isWord;
    } else if (isUnspaced(code)) {
      unspaced += 1;
      inWord = false;
    } else if (code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0x0964 || code === 0x06d4 || code === 0x061f) {
      found.stops += 1;
      inWord = false;
    } else if (code === 0x3001 || code === 0xff0c || code === 0x060c) {
      found.commas += 1;
      inWord = false;
    } else if (isMark(code)) inWord = code === 0x2019 && inWord;
    else {
      if (!inWord) found.words += 1;
      inWord = true;
    }
  }
  found.words += Math.ceil(unspaced / 2);
  return found;
}

/** Han, kana, Thai, Lao, Khmer and Burmese are written without spaces. */
const isUnspaced = (code: number) =>
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0x0e00 && code <= 0x0eff) ||
  (code >= 0x1000 && code <= 0x109f) ||
  (code >= 0x1780 && code <= 0x17ff);

const isMark = (code: number) =>
  (code >= 0x80 && code <= 0xbf) ||
  (code >= 0x2000 && code <= 0x2bff) ||
  (code >= 0x3000 && code <= 0x303f) ||
  (code >= 0xff00 && code <= 0xff0f);
