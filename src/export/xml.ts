/** What XML 1.0 (§2.2) has no letters for, and what turns text round or hides in it. The joiners of Persian, Indic and emoji stay. */
const UNSAFE = /(?!\t|\n|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/** Text that can stand in any document: letters that nobody should obey are replaced. */
export const cleanText = (text: string): string => text.replace(UNSAFE, "\ufffd");

/** As XML and HTML hold it, in text and in attributes alike. */
export const xmlText = (text: string): string =>
  cleanText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
