/**
 * Matches: an escaped character; code; the start of a link or an image; its end; emphasis marks. A star with spaces on both sides is not
 * one.
 */
const MARKUP = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.+?)(?<!`)\2(?!`)|!?\[|\]\((?:<[^<>\s]*>|[^()\s]*)\)|\*\*|__|~~|(?<! )\*|\*(?! )/g;

/** A line of Markdown as plain text: link texts only, no emphasis marks, escapes resolved. */
export function plainText(markdown: string): string {
  let links = 0;
  return markdown.replace(MARKUP, (sign, escaped?: string, _ticks?: string, code?: string) => {
    if (escaped !== undefined) return escaped;
    if (code !== undefined) return code.replace(/^ (.*`.*) $/, "$1");
    if (sign.endsWith("[")) links += 1;
    else if (sign.startsWith("]")) {
      if (links === 0) return sign;
      links -= 1;
    }
    return "";
  });
}
