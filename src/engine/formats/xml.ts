/**
 * Characters that XML 1.0 (§2.2) does not allow, direction controls and invisible characters. The joiners of Persian,
 * Indic and emoji are kept.
 */
const UNSAFE = /(?!\t|\n|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/** Replaces unsafe characters, so that the text is safe in any document. */
export const cleanText = (text: string): string => text.replace(UNSAFE, "\ufffd");

/** Escaped for XML and HTML, for text and attributes. */
export const xmlText = (text: string): string =>
  cleanText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
