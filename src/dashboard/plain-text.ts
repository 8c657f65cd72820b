/** An escaped sign; code; the beginning of a link or an image; its end; marks of emphasis, of which a lone star is none. */
const SIGNS = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.+?)(?<!`)\2(?!`)|!?\[|\]\((?:<[^<>\s]*>|[^()\s]*)\)|\*\*|__|~~|(?<! )\*|\*(?! )/g;

/** A line of Markdown as it is read: links by their words, without marks of emphasis, and what was escaped as it stood on the page. */
export function plainText(markdown: string): string {
  let links = 0;
  return markdown.replace(SIGNS, (sign, escaped?: string, _ticks?: string, code?: string) => {
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
